import { expect } from 'chai';
import { pageV2, rowV1, rowV2, tradeNumber } from '#test/support/trade-rows';
import { parseClobMarket } from '#wire/polymarket/clob';
import { parseClobWinner } from '#wire/polymarket/clob-winner';
import { parseTradesV1 } from '#wire/polymarket/data-api-v1';
import { parseResolutionsV2, parseTradesV2 } from '#wire/polymarket/data-api-v2';
import { parseGammaMarket } from '#wire/polymarket/gamma';
import { parseGammaMarketFacts } from '#wire/polymarket/gamma-market-facts';
import { parseRtdsFrame } from '#wire/polymarket/rtds';

const TRADE = tradeNumber(3, 1_780_000_000);
const GAMMA = {
  slug: 'a-market',
  outcomes: '["Yes", "No"]',
  clobTokenIds: '["7", "8"]',
  active: true,
  closed: false,
  acceptingOrders: true,
  enableOrderBook: true,
};

/** What each reader makes of a condition: its one spelling, or nothing. */
const READERS: Record<string, (condition: string) => unknown> = {
  'Gamma, for an order': (conditionId) => {
    const version = conditionId.length === 64 ? 'v2' : 'v1';
    const parsed = parseGammaMarket({ ...GAMMA, version, positionIds: ['7', '8'], conditionId });
    return parsed.kind === 'market' ? parsed.market.conditionId : undefined;
  },
  'Gamma, for a rating': (conditionId) => parseGammaMarketFacts({ ...GAMMA, conditionId })?.condition,
  'the CLOB, of a market': (c) => parseClobMarket({ c })?.conditionId,
  'the CLOB, of a winner': (condition_id) =>
    parseClobWinner({ condition_id, closed: true, is_50_50_outcome: false, tokens: [] })?.condition,
  'trades, version 1': (conditionId) => parseTradesV1([{ ...rowV1(TRADE), conditionId }])?.fills[0]?.condition,
  'trades, version 2': (condition_id) =>
    parseTradesV2({ ...pageV2([]), data: [{ ...rowV2(TRADE), condition_id }] })?.fills[0]?.condition,
  resolutions: (condition_id) =>
    [...(parseResolutionsV2({ data: [{ condition_id, status: 'proposed' }] })?.found.keys() ?? [])][0],
  'the live feed': (conditionId) => {
    const payload = { ...rowV1(TRADE), conditionId };
    const read = parseRtdsFrame(JSON.stringify({ topic: 'activity', type: 'trades', payload }));
    return read.kind === 'trade' ? read.fill.condition : undefined;
  },
};

describe('a condition id from the venue', () => {
  for (const [reader, read] of Object.entries(READERS)) {
    it(`is read in both lengths, and in no other: ${reader}`, () => {
      const written = (bytes: number) => `0x01${'Ab'.repeat(bytes - 1)}`;
      for (const bytes of [31, 32]) expect(read(written(bytes)), `${bytes}`).to.equal(written(bytes).toLowerCase());
      for (const bytes of [1, 30, 33]) expect(read(written(bytes)), `${bytes}`).to.equal(undefined);
    });
  }
});
