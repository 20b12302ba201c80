import { expect } from 'chai';
import { categorizeMarket, type MarketCategory, type MarketFacts, toMixCategory } from '#domain/rating/market-category';
import { seconds } from '../support/tape-fixtures.js';

const RISE_S = seconds('2026-07-10T00:00:00Z');
const FEES_S = seconds('2026-03-30T00:00:00Z');

describe('categorizeMarket', () => {
  const cases: readonly [string, MarketFacts, MarketCategory, number][] = [
    ['knows nothing: other, and never free', {}, 'other', 50_000],
    ['takes nulls for nothing', { feeRate: null, feesEnabled: null, feeType: null, tags: null }, 'other', 50_000],

    ['takes the rate of the schedule', { feeRate: 0.03, feeExponent: 1, feeType: 'sports_fees_v2' }, 'sports', 30_000],
    ['takes a rate with more digits', { feeRate: 0.0175, feeType: 'sports_fees' }, 'sports', 17_500],
    ['takes a schedule of zero', { feeRate: 0, feesEnabled: true, feeType: 'zero_fees' }, 'other', 0],
    ['takes a schedule of zero by any curve', { feeRate: 0, feeExponent: 0, feeType: 'sports_fees_v3' }, 'sports', 0],
    ['takes zero_fees by its name', { feesEnabled: true, feeType: 'zero_fees' }, 'other', 0],
    ['also on a game', { feesEnabled: true, feeType: 'zero_fees', sportsMarketType: 'totals' }, 'sports', 0],
    [
      'does not take the rate of another curve',
      { feeRate: 0.25, feeExponent: 2, feeType: 'crypto_15_min' },
      'crypto',
      70_000,
    ],
    ['does not take a rate that is none', { feeRate: 40, feeType: 'politics_fees' }, 'politics', 40_000],
    ['does not take a negative rate', { feeRate: -0.1 }, 'other', 50_000],
    ['does not take a rate that is no number', { feeRate: Number.NaN }, 'other', 50_000],

    ['charges nothing where fees are off', { feesEnabled: false, tags: ['politics'] }, 'politics', 0],
    ['also where a schedule is told', { feesEnabled: false, feeRate: 0.04 }, 'other', 0],
    ['also where it closed after fees began', { feesEnabled: false, closedAtS: FEES_S, tags: ['crypto'] }, 'crypto', 0],
    [
      "charges today's rate where it closed before",
      { feesEnabled: false, closedAtS: FEES_S - 1, tags: ['crypto'] },
      'crypto',
      70_000,
    ],
    [
      "charges today's rate of sports too",
      { feesEnabled: false, closedAtS: FEES_S - 1, createdAtS: FEES_S - 9, sportsMarketType: 'totals' },
      'sports',
      50_000,
    ],

    ['crypto', { feeType: 'crypto_fees_v2' }, 'crypto', 70_000],
    ['finance', { feeType: 'finance_prices_fees' }, 'finance', 40_000],
    ['politics', { feeType: 'politics_fees' }, 'politics', 40_000],
    ['tech', { feeType: 'tech_fees' }, 'tech', 40_000],
    ['mentions', { feeType: 'mentions_fees' }, 'mentions', 40_000],
    ['economics', { feeType: 'economics_fees' }, 'economics', 50_000],
    ['culture', { feeType: 'culture_fees' }, 'culture', 50_000],
    ['weather', { feeType: 'weather_fees' }, 'weather', 50_000],
    ['general', { feeType: 'general_fees' }, 'other', 50_000],
    ['an unknown fee type', { feeType: 'space_fees' }, 'other', 50_000],
    ['geopolitics by its tag', { tags: ['politics', 'geopolitics'] }, 'geopolitics', 0],
    ['geopolitics that says it has fees', { tags: ['geopolitics'], feesEnabled: true }, 'geopolitics', 50_000],

    ['sports by its type, since the rise', { sportsMarketType: 'moneyline', createdAtS: RISE_S }, 'sports', 50_000],
    ['sports made before the rise', { sportsMarketType: 'moneyline', createdAtS: RISE_S - 1 }, 'sports', 30_000],
    ['sports of an unknown day', { gameStartTime: '2026-07-20 18:00:00+00' }, 'sports', 50_000],
    ['sports_fees_v2 before the rise', { feeType: 'sports_fees_v2', createdAtS: RISE_S - 1 }, 'sports', 30_000],
    ['sports_fees_v2 since the rise', { feeType: 'sports_fees_v2', createdAtS: RISE_S }, 'sports', 50_000],
    ['sports_fees_v2 of an unknown day', { feeType: 'sports_fees_v2' }, 'sports', 50_000],
    ['sports with the new fee type', { feeType: 'sports_fees_v3', createdAtS: RISE_S - 1 }, 'sports', 50_000],

    ['the fee type before the tags', { feeType: 'economics_fees', tags: ['politics', 'economy'] }, 'economics', 50_000],
    ['the fee type before the game', { feeType: 'mentions_fees', gameStartTime: '2026-07-20' }, 'mentions', 40_000],
    ['the game before the tags', { sportsMarketType: 'points', tags: ['culture'] }, 'sports', 50_000],
    ['tags in any case, with blanks', { tags: ['Pop Culture'] }, 'culture', 50_000],
    ['the narrow tag before the wide', { tags: ['politics', 'mentions'] }, 'mentions', 40_000],
    ['tags that say nothing', { tags: ['hide-from-new', 'recurring'] }, 'other', 50_000],
  ];
  for (const [title, facts, category, feeRateMicros] of cases) {
    it(title, () => expect(categorizeMarket(facts)).to.deep.equal({ category, feeRateMicros }));
  }
});

describe('toMixCategory', () => {
  it('counts geopolitics under politics, and all but four under other', () => {
    const received = ['sports', 'politics', 'geopolitics', 'crypto', 'culture', 'tech', 'other', 'never heard of', ''];
    const shown = ['sports', 'politics', 'politics', 'crypto', 'other', 'other', 'other', 'other', 'other'];
    expect(received.map(toMixCategory)).to.deep.equal(shown);
  });
});
