import { expect } from 'chai';
import type { Fill } from '#domain/rating/fill';
import type { RatingSums } from '#domain/rating/rating-sums';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { AS_OF_S, byCondition, CONFIG, fillOf, marketOf } from '../support/tape-fixtures.js';

const DAY_S = 86_400;
const T = AS_OF_S - 10 * DAY_S;

const sum = (fills: readonly Fill[], ...markets: readonly TapeMarket[]): RatingSums =>
  sumWallet('0xaaaa', fills, byCondition(...(markets.length === 0 ? [marketOf({})] : markets)), AS_OF_S, CONFIG);

/** The price of the only entry, in micros. */
const entryPrice = (fills: readonly Fill[]) => Number(sum(fills).entryPriceMicros);

const buy = (changes: Partial<Fill>) => fillOf({ ...changes, side: 'BUY' });
const sell = (changes: Partial<Fill>) => fillOf({ ...changes, side: 'SELL' });

/** A BUY of its own market, and that market. */
const alone = (name: string, changes: Partial<Fill> = {}) =>
  buy({ token: `${name}:0`, condition: name, tx: `0x${name}`, ...changes });

describe('sumWallet', () => {
  describe('repeats', () => {
    const half = { sizeMicros: 10_000_000, priceMicros: 500_000 };
    const other = { sizeMicros: 10_000_000, priceMicros: 300_000 };
    // 10 @ .50 and 10 @ .30 average .40; a repeat that counted would shift the average.
    const cases: readonly [string, readonly Fill[], number][] = [
      ['drops an exact repeat of a row without log position', [buy(half), buy(half), buy(other)], 400_000],
      [
        'drops a repeat of a log position',
        [buy({ ...half, logIndex: 1 }), buy({ ...half, logIndex: 1 }), buy({ ...other, logIndex: 2 })],
        400_000,
      ],
      [
        'keeps two equal fills at two log positions',
        [buy({ ...half, logIndex: 1 }), buy({ ...half, logIndex: 2 }), buy({ ...other, logIndex: 3 })],
        433_333,
      ],
      [
        'takes a row without position for the fill at a position that it equals, whichever came first',
        [buy(half), buy({ ...half, logIndex: 1 }), buy({ ...other, logIndex: 2 }), buy(other)],
        400_000,
      ],
      [
        'takes rows that tell of one position differently for one fill, of the higher price, whichever came first',
        [buy({ ...other, logIndex: 1 }), buy({ ...half, logIndex: 1 }), buy({ ...other, logIndex: 2 })],
        400_000,
      ],
      [
        'takes a row without position for the fill at a position that only another row of it equals',
        [buy({ ...half, logIndex: 1 }), buy({ ...other, logIndex: 1 }), buy(other)],
        500_000,
      ],
      [
        'does not trust a position without a transaction',
        [buy({ ...half, tx: '', logIndex: 1 }), buy({ ...half, tx: '', logIndex: 2 }), buy({ ...other, tx: '' })],
        400_000,
      ],
      [
        'keeps rows that were equal within one page, and drops their repeats by another reading',
        [buy(half), buy({ ...half, occurrence: 1 }), buy(half), buy({ ...half, occurrence: 1 }), buy(other)],
        433_333,
      ],
      [
        'takes as many equal rows for fills at positions as there are of those, and keeps the others',
        [
          ...[buy({ ...half, occurrence: 1 }), buy({ ...half, occurrence: 2 }), buy(half), buy(other)],
          ...[buy({ ...half, logIndex: 1 }), buy({ ...half, logIndex: 2 }), buy({ ...other, logIndex: 3 })],
        ],
        450_000,
      ],
      [
        'keeps equal rows of an unknown transaction',
        [buy({ ...half, tx: '' }), buy({ ...half, tx: '', occurrence: 1 }), buy({ ...other, tx: '' })],
        433_333,
      ],
      ['keeps rows that differ in their second', [buy(half), buy({ ...half, timeS: T + 1 }), buy(other)], 433_333],
    ];
    for (const [title, fills, price] of cases) {
      it(title, () => expect(entryPrice(fills)).to.equal(price));
    }
  });

  describe('orders', () => {
    it('makes one clip of the fills of a transaction, at the average price rounded half up', () => {
      const fills = [
        buy({ sizeMicros: 5_000_000, priceMicros: 400_000 }),
        buy({ sizeMicros: 5_000_000, priceMicros: 400_001 }),
      ];
      expect(entryPrice(fills)).to.equal(400_001);
      expect(sum(fills).clips).to.equal(1);
    });

    it('dates a clip by its first fill', () => {
      const { clips, firstEntries } = sum([
        buy({ timeS: T + 2 * DAY_S, tx: '0x2' }),
        buy({ timeS: T }),
        buy({ timeS: T + DAY_S, tx: '0x2' }),
      ]);
      expect({ clips, firstEntries }).to.deep.equal({ clips: 2, firstEntries: 1 });
    });

    it('makes one clip of the fills of a second where no transaction is told', () => {
      const fills = [
        buy({ tx: '', priceMicros: 400_000 }),
        buy({ tx: '', priceMicros: 500_000 }),
        buy({ tx: '', priceMicros: 900_000, timeS: T + 1 }),
      ];
      expect(entryPrice(fills)).to.equal(450_000);
      expect(sum(fills).clips).to.equal(2);
    });

    it('does not see fills under 5 shares, not even as parts of a larger order', () => {
      const fills = [
        buy({ sizeMicros: 4_999_999, priceMicros: 100_000, timeS: T - 60 }),
        buy({ sizeMicros: 5_000_000, priceMicros: 600_000 }),
      ];
      expect(entryPrice(fills)).to.equal(600_000);
      expect(sum(fills).firstTradeS).to.equal(T);
    });
  });

  describe('first entries', () => {
    it('takes the highest price of a second, then the lowest transaction', () => {
      const dear = { priceMicros: 500_000, sizeMicros: 10_000_000 };
      expect(entryPrice([buy({ priceMicros: 400_000, tx: '0x1' }), buy({ ...dear, tx: '0x2' })])).to.equal(500_000);
      const small = { ...dear, sizeMicros: 9_000_000 };
      const pool = (a: Fill, b: Fill) => sum([a, b]).window.entries;
      expect(pool(buy({ ...dear, tx: '0x2' }), buy({ ...small, tx: '0x10' })), '0x10 is lower and too small').to.equal(
        0,
      );
      expect(pool(buy({ ...small, tx: '0x2' }), buy({ ...dear, tx: '0x10' }))).to.equal(1);
    });

    it('never makes a new entry of a token that was first bought before the window', () => {
      const begin = AS_OF_S - 90 * DAY_S;
      expect(sum([buy({ timeS: begin - 1 }), buy({ timeS: T, tx: '0x2' })]).firstEntries).to.equal(0);
      expect(sum([buy({ timeS: begin }), buy({ timeS: T, tx: '0x2' })]).firstEntries).to.equal(1);
    });

    it('sees nothing at or after the moment of the rating', () => {
      expect(sum([buy({ timeS: AS_OF_S })]).firstEntries).to.equal(0);
      expect(sum([buy({ timeS: AS_OF_S - 1 }), buy({ timeS: AS_OF_S, tx: '0x2' })]).clips).to.equal(1);
    });

    it('counts the clips of the first 24 hours', () => {
      const fills = [0, 1, DAY_S, DAY_S + 1].map((laterS, index) => buy({ timeS: T + laterS, tx: `0x${index}` }));
      expect(sum(fills).clips).to.equal(3);
    });

    it('counts tokens that were sold before they were bought, and not those sold in the same second', () => {
      expect(sum([sell({ timeS: T - 1 }), buy({})]).sellFirst).to.equal(1);
      expect(sum([sell({}), buy({})]).sellFirst).to.equal(0);
      expect(sum([sell({ timeS: T - 1, sizeMicros: 4_000_000 }), buy({})]).sellFirst, 'too small').to.equal(0);
      expect(sum([sell({})]).firstEntries, 'never bought').to.equal(0);
    });
  });

  describe('round trips', () => {
    const at = (changes: Partial<Fill>) =>
      sum([buy({ sizeMicros: 100_000_000 }), sell({ tx: '0x2', ...changes })]).roundTrips;
    const cases: readonly [string, Partial<Fill>, number][] = [
      ['90 % sold an hour later, one cent away', { sizeMicros: 90_000_000, timeS: T + 3_600, priceMicros: 490_000 }, 1],
      ['one cent below', { sizeMicros: 90_000_000, priceMicros: 470_000 }, 1],
      ['less than 90 %', { sizeMicros: 89_999_999 }, 0],
      ['a second too late', { sizeMicros: 100_000_000, timeS: T + 3_601 }, 0],
      ['more than a cent away', { sizeMicros: 100_000_000, priceMicros: 490_001 }, 0],
      ['sold before', { sizeMicros: 100_000_000, timeS: T - 1 }, 0],
    ];
    for (const [title, changes, count] of cases) {
      it(`${count === 1 ? 'counts' : 'does not count'}: ${title}`, () => expect(at(changes)).to.equal(count));
    }

    it('measures against everything bought in that hour', () => {
      const more = buy({ sizeMicros: 100_000_000, tx: '0x3', timeS: T + 3_600 });
      expect(
        sum([buy({ sizeMicros: 100_000_000 }), more, sell({ sizeMicros: 100_000_000, tx: '0x2' })]).roundTrips,
      ).to.equal(0);
    });
  });

  describe('results', () => {
    const result = (market: Partial<TapeMarket>, fill: Partial<Fill> = {}) => {
      const { resolved, earlyResolved, returnSlippageNano, returnFeeNano, wins } = sum([buy(fill)], marketOf(market));
      return { resolved, earlyResolved, returnSlippageNano, returnFeeNano, wins };
    };
    const PENDING = { resolved: 0, earlyResolved: 0, returnSlippageNano: 0n, returnFeeNano: 0n, wins: 0 };
    // .48 + .02 = .50: a dollar buys two shares, the fee is 4 % of half of it.
    const WON = {
      resolved: 1,
      earlyResolved: 0,
      returnSlippageNano: 1_000_000_000n,
      returnFeeNano: 980_000_000n,
      wins: 1,
    };

    const cases: readonly [string, Partial<TapeMarket>, typeof WON][] = [
      ['scores what is settled and matured', {}, WON],
      ['settled and due at the very moment', { resolvedAtS: AS_OF_S, scheduledEndS: AS_OF_S }, WON],
      ['settled without a scheduled end', { scheduledEndS: null }, WON],
      ['settled a second after the moment: pending', { resolvedAtS: AS_OF_S + 1 }, PENDING],
      ['due a second after the moment: early', { scheduledEndS: AS_OF_S + 1 }, { ...PENDING, earlyResolved: 1 }],
      ['a payout without a time of settlement: pending', { resolvedAtS: null }, PENDING],
      ['settled without a payout vector: pending', { payoutMicros: null }, PENDING],
      ['a vector without this outcome: pending', { payoutMicros: [] }, PENDING],
    ];
    for (const [title, market, expected] of cases) {
      it(title, () => expect(result(market)).to.deep.equal(expected));
    }

    it('takes a 50/50 payout for a win only below a copier price of 0.5', () => {
      const split = { payoutMicros: [500_000, 500_000] };
      expect(result(split, { priceMicros: 479_999 }).wins).to.equal(1);
      expect(result(split, { priceMicros: 480_000 })).to.include({ wins: 0, returnSlippageNano: 0n, resolved: 1 });
    });

    it('never lets the copier pay more than 0.999', () => {
      expect(result({}, { priceMicros: 979_000 }).returnSlippageNano).to.equal(1_001_001n);
      expect(result({}, { priceMicros: 998_000 }).returnSlippageNano).to.equal(1_001_001n);
    });

    it('rounds returns and fees half away from zero', () => {
      // A dollar over 0.3 buys 3.333 shares; two dimes of payout are a loss of a third.
      expect(result({}, { priceMicros: 280_000 }).returnSlippageNano).to.equal(2_333_333_333n);
      expect(result({ payoutMicros: [200_000, 0] }, { priceMicros: 280_000 }).returnSlippageNano).to.equal(
        -333_333_333n,
      );
      // 3 micros of rate on half a dollar: 1 500 nano; on 0.499 999 of it 1 499.997.
      const feeOf = (priceMicros: number) => {
        const { returnSlippageNano, returnFeeNano } = result({ feeRateMicros: 3 }, { priceMicros });
        return returnSlippageNano - returnFeeNano;
      };
      expect([feeOf(480_000), feeOf(480_001), feeOf(480_167)]).to.deep.equal([1_500n, 1_500n, 1_499n]);
    });

    it('takes a market that nobody told of for pending, of another category', () => {
      const sums = sumWallet('0xaaaa', [buy({})], new Map(), AS_OF_S, CONFIG);
      expect(sums).to.deep.include({ firstEntries: 1, resolved: 0, earlyResolved: 0, markets: 1 });
      expect(sums.categories).to.deep.equal({ sports: 0, politics: 0, other: 1, crypto: 0 });
    });
  });

  describe('markets', () => {
    const no = { token: 'M1:1', outcomeIndex: 1, tx: '0x2' };

    it('remembers the other outcome bought before the window', () => {
      const sums = sum([buy({ ...no, timeS: AS_OF_S - 200 * DAY_S }), buy({})]);
      expect(sums).to.include({ firstEntries: 1, markets: 1, bothSidedMarkets: 1 });
    });

    it('does not take a sold outcome, or a sibling market of the event, for the other side', () => {
      expect(sum([sell(no), buy({})]).bothSidedMarkets).to.equal(0);
      const siblings = [marketOf({ event: 'E' }), marketOf({ condition: 'M2', event: 'E' })];
      expect(sum([buy({}), alone('M2')], ...siblings)).to.include({ markets: 2, bothSidedMarkets: 0 });
    });

    it('leaves up/down markets out of everything but their own count', () => {
      const upDown = marketOf({ condition: 'UD', upDown: true });
      const coin = alone('UD', { timeS: T - DAY_S });
      const { upDownExcluded, ...sums } = sum([buy({}), coin], marketOf({}), upDown);
      expect(upDownExcluded).to.equal(1);
      expect(sums).to.deep.include({ firstEntries: 1, markets: 1, firstTradeS: T, activeDays: 1 });
      const before = alone('UD', { timeS: AS_OF_S - 91 * DAY_S, tx: '0x9' });
      expect(sum([coin, before], upDown).upDownExcluded, 'first bought before the window').to.equal(0);
    });

    it('puts prices into buckets of ten cents by their micros', () => {
      const bucketOf = (priceMicros: number) => sum([buy({ priceMicros })]).priceBuckets.indexOf(1);
      expect([99_999, 100_000, 699_999, 700_000, 1_000_000].map(bucketOf)).to.deep.equal([0, 1, 6, 7, 9]);
    });

    it('takes 0.95 for near-certain', () => {
      expect([949_999, 950_000].map((priceMicros) => sum([buy({ priceMicros })]).nearCertain)).to.deep.equal([0, 1]);
    });
  });

  describe('activity', () => {
    it('counts UTC days of BUYs and SELLs in the window', () => {
      const fills = [
        buy({ timeS: AS_OF_S - 90 * DAY_S - 1 }),
        sell({ timeS: AS_OF_S - 90 * DAY_S, tx: '0x2' }),
        sell({ timeS: AS_OF_S - 89 * DAY_S - 1, tx: '0x3' }),
        buy({ timeS: AS_OF_S - 1, tx: '0x4' }),
        buy({ timeS: AS_OF_S, tx: '0x5' }),
      ];
      const { firstTradeS, lastTradeS, activeDays } = sum(fills);
      expect({ firstTradeS, lastTradeS, activeDays }).to.deep.equal({
        firstTradeS: AS_OF_S - 90 * DAY_S,
        lastTradeS: AS_OF_S - 1,
        activeDays: 2,
      });
    });

    it('has none without fills', () => {
      expect(sum([])).to.include({ firstTradeS: null, lastTradeS: null, activeDays: 0, firstEntries: 0 });
    });
  });

  describe('pools', () => {
    const pools = (fills: readonly Fill[], ...markets: readonly TapeMarket[]) => {
      const { older, inSample, outOfSample, window } = sum(fills, ...markets);
      return [older, inSample, outOfSample, window].map(({ entries }) => entries);
    };

    const positions: readonly [number, readonly number[]][] = [
      [AS_OF_S - 90 * DAY_S, [1, 0, 0, 1]],
      [AS_OF_S - 60 * DAY_S - 1, [1, 0, 0, 1]],
      [AS_OF_S - 60 * DAY_S, [0, 1, 0, 1]],
      [AS_OF_S - 30 * DAY_S - 1, [0, 1, 0, 1]],
      [AS_OF_S - 30 * DAY_S, [0, 0, 1, 1]],
      [AS_OF_S - 1, [0, 0, 1, 1]],
    ];
    for (const [timeS, expected] of positions) {
      it(`puts an entry at ${new Date(timeS * 1000).toISOString()} into its pools`, () => {
        expect(pools([buy({ timeS })])).to.deep.equal(expected);
      });
    }

    const filtered: readonly [string, Partial<Fill>, number][] = [
      ['0.10', { priceMicros: 100_000 }, 1],
      ['below 0.10', { priceMicros: 99_999 }, 0],
      ['0.90', { priceMicros: 900_000 }, 1],
      ['above 0.90', { priceMicros: 900_001 }, 0],
      ['10 shares', { sizeMicros: 10_000_000 }, 1],
      ['under 10 shares', { sizeMicros: 9_999_999 }, 0],
    ];
    for (const [title, changes, entries] of filtered) {
      it(`${entries === 1 ? 'keeps' : 'leaves out'} an entry at ${title}`, () => {
        expect(sum([buy(changes)]).window.entries).to.equal(entries);
        expect(sum([buy(changes)]).firstEntries).to.equal(1);
      });
    }

    const sameEvent = ['M1', 'M2'].map((condition) => marketOf({ condition, event: 'E' }));
    const inSample = { timeS: AS_OF_S - 40 * DAY_S };

    it('drops out-of-sample entries of events that were entered in the in-sample month', () => {
      expect(pools([buy(inSample), alone('M2')], ...sameEvent)).to.deep.equal([0, 1, 0, 2]);
    });

    it('drops them also where the in-sample entry is pending, and not where the filter leaves it out', () => {
      const [first, second] = sameEvent as [TapeMarket, TapeMarket];
      const pending = { ...first, payoutMicros: null };
      expect(pools([buy(inSample), alone('M2')], pending, second)).to.deep.equal([0, 0, 0, 1]);
      expect(pools([buy({ ...inSample, sizeMicros: 6_000_000 }), alone('M2')], ...sameEvent)).to.deep.equal([
        0, 0, 1, 1,
      ]);
    });

    it('knows the event from the market, else the greatest of the order, else the market stands alone', () => {
      const eventsOf = (received: readonly [string, string], ...orders: readonly (readonly string[])[]) => {
        const fills = orders.flatMap((events, order) =>
          events.map((event, index) => alone(`M${order + 1}`, { event, priceMicros: 480_000 + index })),
        );
        const markets = received.map((event, index) => marketOf({ condition: `M${index + 1}`, event }));
        return sum(fills, ...markets).window.events;
      };
      expect(eventsOf(['E', 'E'], ['x'], ['y']), 'market').to.equal(1);
      expect(eventsOf(['', 'y'], ['x', 'y', ''], ['z']), 'greatest of the order').to.equal(1);
      expect(eventsOf(['', ''], [''], ['']), 'condition').to.equal(2);
      expect(eventsOf(['', 'M1'], [''], ['']), 'condition like an event').to.equal(1);
    });

    it('sums variances, roots by event, and the best event', () => {
      // Two entries of one event won .98 each; one of another lost 1.02. v of each is .9996.
      const third = marketOf({ condition: 'M3', payoutMicros: [0, 1_000_000] });
      const { window } = sum([buy({}), alone('M2'), alone('M3')], ...sameEvent, third);
      expect(window).to.deep.include({ entries: 3, events: 2, wins: 2 });
      expect(window.returnSlippageNano).to.equal(1_000_000_000n);
      expect(window.returnFeeNano).to.equal(940_000_000n);
      expect(window.bestEventNano).to.equal(1_960_000_000n);
      expect(window.varianceNano).to.equal(3n * 999_600_000n);
      // The root of .9996 in nano.
      const root = 999_799_980n;
      expect(window.eventRootsAtto).to.equal((2n * root) ** 2n + root ** 2n);
      // The claim costs .51, so a win scores .49 / .2499, a loss -.51 / .2499, and each weighs 1 /
      // .2499.
      expect(window.scoreNano).to.equal(2n * 1_960_784_314n - 2_040_816_327n);
      expect(window.weightNano).to.equal(3n * 4_001_600_640n);
      const weightRoot = 2_000_400_120n;
      expect(window.eventWeightRootsAtto).to.equal((2n * weightRoot) ** 2n + weightRoot ** 2n);
    });

    it('takes no win for a return of nothing', () => {
      expect(sum([buy({})], marketOf({ payoutMicros: [500_000, 500_000] })).window).to.include({ entries: 1, wins: 0 });
    });

    it('has a best event below zero where every event lost', () => {
      expect(sum([buy({})], marketOf({ payoutMicros: [0, 1_000_000] })).window.bestEventNano).to.equal(-1_020_000_000n);
    });
  });
});
