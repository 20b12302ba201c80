import { expect } from 'chai';
import fc from 'fast-check';
import type { Fill } from '#domain/rating/fill';
import { DRIFTS, drifted, fieldsIn } from '#test/support/drifts';
import { VENUE_DRIFTS } from '#test/support/size';
import { hex64, pageV2, rowV1, rowV2, tradeNumber } from '#test/support/trade-rows';
import { clobPayoutMicros, parseClobWinner } from '#wire/polymarket/clob-winner';
import { parseTradesV1 } from '#wire/polymarket/data-api-v1';
import { parseResolutionsV2, parseTradesV2 } from '#wire/polymarket/data-api-v2';
import { parseRtdsFrame } from '#wire/polymarket/rtds';

const TRADE = tradeNumber(3, 1_780_000_000);
const UNREADABLE = 'cannot be read';

/** What a trade is, without what it may lack. */
const shown = ({ event: _event, tx: _tx, ...rest }: Fill) => JSON.stringify(rest);

function ofPage(page: ReturnType<typeof parseTradesV1>): string {
  if (page === null || page.unreadable > 0) return UNREADABLE;
  return page.fills.map(shown).join() || 'no trade';
}

const RESOLUTION = {
  condition_id: hex64(1),
  status: 'resolved',
  payouts: [1_000_000, 0],
  resolved_at: '2026-05-01T00:00:00Z',
};
const WINNER = {
  condition_id: hex64(1),
  closed: true,
  is_50_50_outcome: false,
  tokens: [
    { token_id: '7', outcome: 'Yes', winner: true },
    { token_id: '8', outcome: 'No', winner: false },
  ],
};

/** What each reader makes of a body: the same text for the same meaning. */
const READERS: Record<string, readonly [body: unknown, read: (body: unknown) => string]> = {
  'trades, version 1': [[rowV1(TRADE)], (body) => ofPage(parseTradesV1(body))],
  'trades, version 2': [{ ...pageV2([]), data: [rowV2(TRADE)] }, (body) => ofPage(parseTradesV2(body))],
  'the live feed': [
    { topic: 'activity', type: 'trades', payload: rowV1(TRADE) },
    (body) => {
      const read = parseRtdsFrame(JSON.stringify(body));
      // A message of another topic is none of ours.
      return read.kind === 'trade' ? shown(read.fill) : UNREADABLE;
    },
  ],
  resolutions: [
    { data: [RESOLUTION] },
    (body) => {
      const read = parseResolutionsV2(body);
      const one = read?.found.get(hex64(1));
      if (one === undefined || one.kind === 'unreadable' || read?.isTorn) return UNREADABLE;
      return one.kind === 'final' ? JSON.stringify(one.payoutMicros) : UNREADABLE;
    },
  ],
  'the winner at the CLOB': [
    WINNER,
    (body) => {
      const read = parseClobWinner(body);
      return JSON.stringify(read && clobPayoutMicros(read, ['7', '8'])) === 'null'
        ? UNREADABLE
        : JSON.stringify(clobPayoutMicros(read!, ['7', '8']));
    },
  ],
};

describe('a row of the venue with one field of another form', () => {
  for (const [reader, [body, read]] of Object.entries(READERS)) {
    it(`means what it meant, or cannot be read: ${reader}`, () => {
      const before = read(body);
      expect(before).not.to.equal(UNREADABLE);
      const paths = fieldsIn(body);
      const drift = fc.record({
        path: fc.constantFrom(...paths),
        how: fc.constantFrom(...DRIFTS),
        pick: fc.nat({ max: 41 }),
      });
      fc.assert(
        fc.property(drift, (one) => {
          expect(read(drifted(body, one))).to.be.oneOf([before, UNREADABLE]);
        }),
        { numRuns: VENUE_DRIFTS },
      );
    });
  }
});
