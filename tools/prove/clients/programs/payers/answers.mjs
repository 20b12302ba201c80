/** What came of a paid request, in one form for all clients. */
export const byFetch = (paying) => async (url, init) => {
  const answer = await paying(url, init);
  const receipt = ['payment-response', 'x-payment-response'].find((name) => answer.headers.has(name)) ?? null;
  const replayed = answer.headers.get('idempotent-replayed');
  return { status: answer.status, text: await answer.text(), receipt, replayed };
};

export const byAxios =
  (paying) =>
  async (url, { method, headers, body }) => {
    const { status, data, headers: received } = await paying.request({ url, method, headers, data: body });
    const receipt = ['payment-response', 'x-payment-response'].find((name) => received[name] !== undefined) ?? null;
    return { status, text: JSON.stringify(data), receipt, replayed: received['idempotent-replayed'] ?? null };
  };
