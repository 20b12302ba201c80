const REPEATS_MAX = 20;

/**
 * fetch for tests that are not about pending payments: repeats a request with the payment that it
 * was sent with for as long as the answer asks for that, as it may while the machine is busy.
 */
export const repeatingFetch: typeof fetch = async (input, init) => {
  for (let repeats = 0; ; repeats++) {
    const answer = await fetch(input instanceof Request ? input.clone() : input, init);
    if (answer.status !== 500 || repeats === REPEATS_MAX) return answer;
    const { retry } = (await answer.clone().json()) as { readonly retry?: string };
    if (retry !== 'same_payment') return answer;
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers.get('Retry-After')) * 1_000));
  }
};
