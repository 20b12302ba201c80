import { expect } from 'chai';
import { LEADERBOARD_EXAMPLE, RED_LIST_EXAMPLE } from '#api/sandbox/sandbox-lists';
import { PROFILE_EXAMPLES, WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import { EXAMPLE_FRESHNESS, EXAMPLE_WALLETS } from '#api/sandbox/sandbox-wallets';
import type { Fill } from '#domain/rating/fill';
import { rateSums } from '#domain/rating/rate-sums';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { StoredRating } from '#domain/rating/stored-rating';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { toWalletProfile } from '#judge/wallet/bodies';
import { toLeaderboard, toRedList } from '#services/wallets/list-bodies';
import { AS_OF_S, sampleBoard } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const HOUR_S = 3_600;
const COMPUTED_AT_MS = Date.parse('2026-08-01T03:20:00Z');
const NEXT_REFRESH_S = Date.parse(EXAMPLE_FRESHNESS.next_refresh_at) / 1e3;

/** Months of an example, oldest first: entries, and how many of them won. */
type Months = readonly [older: Month, inSample: Month, outOfSample: Month];
type Month = readonly [entries: number, wins: number];

/** The trades that the text beside the examples tells, one market and event per entry. */
class Story {
  readonly #wallet: string;
  readonly fills: Fill[] = [];
  readonly markets = new Map<string, TapeMarket>();

  constructor(wallet: string) {
    this.#wallet = wallet;
  }

  /**
   * One entry a day from noon of the day, a second one at six where a month has more entries than
   * days.
   */
  months(months: Months, market: { price: number; fee: number; category: string }): this {
    months.forEach(([entries, wins], month) => {
      for (let i = 0; i < entries; i++) {
        const timeS = AS_OF_S - (90 - 30 * month - (i % 30)) * DAY_S + (i < 30 ? 12 : 18) * HOUR_S;
        const payoutMicros = i < wins ? [1_000_000, 0] : [0, 1_000_000];
        this.entry(`m${month}-${i}`, timeS, market, { payoutMicros, endS: timeS + 3 * HOUR_S });
      }
    });
    return this;
  }

  entry(
    condition: string,
    timeS: number,
    { price, fee, category }: { price: number; fee: number; category: string },
    { payoutMicros, endS }: { payoutMicros: readonly number[] | null; endS: number },
  ): this {
    this.fills.push({
      wallet: this.#wallet,
      token: `${condition}:0`,
      condition,
      event: condition,
      outcomeIndex: 0,
      side: 'BUY',
      sizeMicros: 20_000_000,
      priceMicros: Math.round(price * 1e6),
      timeS,
      tx: `0x${condition}-${timeS}`,
      logIndex: null,
    });
    this.markets.set(condition, {
      condition,
      event: condition,
      slug: condition,
      category,
      feeRateMicros: Math.round(fee * 1e6),
      upDown: false,
      scheduledEndS: endS,
      resolvedAtS: payoutMicros === null ? null : endS + HOUR_S,
      payoutMicros,
    });
    return this;
  }

  rate(name: string): StoredRating {
    const sums = sumWallet(this.#wallet, this.fills, this.markets, AS_OF_S, RATING_CONFIG);
    const rating = rateSums(sums, AS_OF_S, RATING_CONFIG);
    return { rating, name, computedAtMs: COMPUTED_AT_MS, config: EXAMPLE_FRESHNESS.rating_config };
  }
}

function steady(): StoredRating {
  const { wallet, name } = EXAMPLE_WALLETS.STEADY;
  const story = new Story(wallet).months(
    [
      [30, 17],
      [40, 22],
      [30, 15],
    ],
    { price: 0.38, fee: 0.05, category: 'sports' },
  );
  const open = { payoutMicros: null, endS: AS_OF_S + 100 * DAY_S };
  for (let day = 1; day <= 4; day++) {
    for (const hour of [12, 13]) {
      const timeS = AS_OF_S - day * DAY_S + hour * HOUR_S;
      story.entry(`open-${day}`, timeS, { price: 0.62, fee: 0.04, category: 'politics' }, open);
    }
  }
  return story.rate(name);
}

const hopeful = () =>
  new Story(EXAMPLE_WALLETS.HOPEFUL.wallet)
    .months(
      [
        [10, 5],
        [21, 14],
        [7, 4],
      ],
      { price: 0.48, fee: 0.04, category: 'politics' },
    )
    .rate(EXAMPLE_WALLETS.HOPEFUL.name);

const losing = () =>
  new Story(EXAMPLE_WALLETS.LOSING.wallet)
    .months(
      [
        [10, 4],
        [20, 8],
        [10, 3],
      ],
      { price: 0.48, fee: 0.05, category: 'other' },
    )
    .rate(EXAMPLE_WALLETS.LOSING.name);

const board = sampleBoard({
  asOfS: AS_OF_S,
  computedAtMs: COMPUTED_AT_MS,
  config: EXAMPLE_FRESHNESS.rating_config,
  walletsSeen: 1_000,
  walletsByVerdict: { NO_COVERAGE: 311, VETO: 383, WATCH: 305, COPY: 1 },
  placeboCopies: 0,
  leaderboard: [EXAMPLE_WALLETS.STEADY.wallet, EXAMPLE_WALLETS.HOPEFUL.wallet],
  redList: [EXAMPLE_WALLETS.LOSING.wallet],
});

describe('examples of the wallet tools', () => {
  it('show for preflight_copy what the rating says of the trades that they tell', () => {
    const { sandbox: _sandbox, note: _note, ...example } = WALLET_PROFILE_EXAMPLE;
    expect(toWalletProfile(steady(), { nextRefreshS: NEXT_REFRESH_S })).to.deep.equal(example);
  });

  for (const [name, story] of [
    ['HOPEFUL', hopeful],
    ['LOSING', losing],
  ] as const) {
    it(`show for preflight_copy what the rating says of ${name}`, () => {
      const { sandbox: _sandbox, note: _note, ...example } = PROFILE_EXAMPLES[name];
      expect(toWalletProfile(story(), { nextRefreshS: NEXT_REFRESH_S })).to.deep.equal(example);
    });
  }

  it('show of two wallets with the same trades the same, but for who they are', () => {
    const { wallet: _a, name: _b, note: _c, ...steady } = PROFILE_EXAMPLES.STEADY;
    const { wallet: _d, name: _e, note: _f, ...newcomer } = PROFILE_EXAMPLES.NEWCOMER;
    expect(newcomer).to.deep.equal(steady);
  });

  it('show for leaderboard what the rating says', () => {
    const { sandbox: _sandbox, note: _note, ...example } = LEADERBOARD_EXAMPLE;
    const ratings = [steady(), hopeful()];
    expect(toLeaderboard({ board, ratings, nextRefreshS: NEXT_REFRESH_S })).to.deep.equal(example);
  });

  it('show for red_list what the rating says', () => {
    const { sandbox: _sandbox, note: _note, ...example } = RED_LIST_EXAMPLE;
    expect(toRedList({ board, ratings: [losing()], nextRefreshS: NEXT_REFRESH_S })).to.deep.equal(example);
  });
});
