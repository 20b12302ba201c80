import { type EventSpec, eventOfOne } from '../market/market-spec.js';

const SUBJECTS = [
  'the harbour bridge',
  'the night train',
  'the dam at Fenwick',
  'the second reading',
  'the new orchard',
];
const ANCHOR_TICKS_MIN = 1_000;
const ANCHOR_TICKS_RANGE = 8_000;
/** Has no divisor in common with the range, so that neighbors stand at prices of their own. */
const ANCHOR_STEP = 1_237;

/**
 * Ordinary markets, as many as are asked for: a venue has tens of thousands, and what is kept near
 * a processor has room for few.
 */
export function bulkMarketEvents(count: number): readonly EventSpec[] {
  return Array.from({ length: count }, (_, n) =>
    eventOfOne(
      {
        slug: `crowd-${n + 1}`,
        question: `Will ${SUBJECTS[n % SUBJECTS.length]} be open on day ${n + 1}?`,
        purpose: 'one of a crowd, for load',
      },
      { anchorTicks: ANCHOR_TICKS_MIN + ((n * ANCHOR_STEP) % ANCHOR_TICKS_RANGE) },
      ['Crowd'],
    ),
  );
}
