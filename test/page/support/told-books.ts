import { EXAMPLE } from '#page/model/try/example';

export const TOKEN = EXAMPLE.market.outcomes[0]!.token_id;

/** Returns the data of an event about the example book, number `sequence` of its stream. */
export function eventData(sequence: number, more: Readonly<Record<string, unknown>> = {}): string {
  const heading = { sequence, server_time_ms: 1_784_000_000_000 + sequence, token_id: TOKEN };
  return JSON.stringify({ ...heading, book: EXAMPLE.book, market_status: EXAMPLE.market.status, ...more });
}
