/**
 * Returns when an answer will be made anew, as it says itself (`next_refresh_at`), in seconds since
 * the epoch; null when it does not. A repeat gets the bytes that were kept, so what an answer says
 * is the only thing that every answer has.
 */
export function nextRefreshOf(answer: object): number | null {
  const { next_refresh_at: at } = answer as { readonly next_refresh_at?: unknown };
  return typeof at === 'string' ? Date.parse(at) / 1e3 : null;
}

/** Returns the same for an answer that is JSON text. */
export function nextRefreshOfText(body: string): number | null {
  return nextRefreshOf(JSON.parse(body) as object);
}
