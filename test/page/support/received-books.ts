import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';

export const TOKEN = DEMO_EXAMPLE.market.outcomes[0]!.token_id;

/** Returns the data of an event about the example book, number `sequence` of its stream. */
export function eventData(sequence: number, more: Readonly<Record<string, unknown>> = {}): string {
  const heading = { sequence, server_time_ms: 1_784_000_000_000 + sequence, token_id: TOKEN };
  return JSON.stringify({ ...heading, book: DEMO_EXAMPLE.book, market_status: DEMO_EXAMPLE.market.status, ...more });
}
