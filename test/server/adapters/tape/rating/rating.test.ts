import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openTape, type TapeOptions } from '#adapters/tape/tape';
import type { Fill } from '#domain/rating/fill';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import { EdgeTally } from '#domain/rating/strength/edge-tally';
import type { Tape } from '#ports/tape';
import { readSynthetic, SYNTHETIC_AS_OF_S } from '#test/shared/domain/support/tape-fixtures';
import { arbitraryTape } from '#test/support/arbitrary-tapes';
import { capture } from '#test/support/captures';
import { TAPE_RUNS } from '#test/support/size';
import {
  AS_OF_S,
  DAY_S,
  differences,
  expectedBoard,
  fillOf,
  marketOf,
  rateAll,
  withTape,
} from '../../support/tape-checks.js';

const SIZE = { wallets: 30, conditions: 60, starts: 900 };

const SEGMENTS = 6;

/**
 * A way in which the fills of a tape came in: which segment each is in, after which segments a
 * compaction ran, and whether it merged all, added beside, or did what became of the sizes.
 */
const arbitraryArrival = fc.record({
  segments: fc.array(fc.integer({ min: 0, max: SEGMENTS - 1 }), { minLength: 1, maxLength: 50 }),
  repeated: fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }),
  compactions: fc.array(fc.constantFrom(null, 0, 20, 10_000, 10_000), { minLength: SEGMENTS, maxLength: SEGMENTS }),
  cutDays: fc.integer({ min: -100, max: 10 }),
  rangeFills: fc.constantFrom(40, 150, 1_000_000),
  pastDays: fc.integer({ min: 1, max: 60 }),
});

type Arrival = typeof arbitraryArrival extends fc.Arbitrary<infer Value> ? Value : never;

async function compactAs(beforeS: number, options: TapeOptions): Promise<void> {
  const tape = await openTape(options);
  await tape.compact(beforeS);
  await tape.close();
}

async function arrive(
  { tape, dir }: { readonly tape: Tape; readonly dir: string },
  fills: readonly Fill[],
  asOfS: number,
  { segments, repeated, compactions, cutDays, rangeFills }: Arrival,
): Promise<void> {
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const own = fills.filter((_, i) => segments[i % segments.length] === segment);
    // Sources overlap: some fills of the segment before come again.
    const again = fills.filter(
      (_, i) => segments[i % segments.length] === segment - 1 && repeated[i % repeated.length],
    );
    await tape.addFills(`s${segment}`, [...own, ...again]);
    const recentPctMax = compactions[segment]!;
    if (recentPctMax !== null) await compactAs(asOfS + cutDays * DAY_S, { dir, recentPctMax, rangeFills });
  }
}

function edgeCells(board: readonly RatingSums[]) {
  const tally = new EdgeTally(RATING_CONFIG);
  for (const { window } of board) tally.add(window);
  return tally.cells();
}

/** Each wallet's fills are those that were added, however they lie. */
async function expectWallets(tape: Tape, fills: readonly Fill[]): Promise<void> {
  const keyOf = ({ token, side, sizeMicros, priceMicros, timeS, tx }: Fill) =>
    [token, side, sizeMicros, priceMicros, timeS, tx].join(' ');
  for (const wallet of [...new Set(fills.map((fill) => fill.wallet))].slice(0, 5)) {
    const own = fills.filter((fill) => fill.wallet === wallet);
    const received = await tape.fillsOf(wallet);
    expect([...new Set(received.map(keyOf))].sort(), wallet).to.deep.equal([...new Set(own.map(keyOf))].sort());
  }
}

describe('the board rated in SQL', function () {
  // A hundred tapes take ten minutes, and longer on a machine that is busy with other things as
  // well.
  this.timeout(7_200_000);

  it('is to the last digit what the pure functions make of it, however the fills came in', () =>
    fc.assert(
      fc.asyncProperty(arbitraryTape(SIZE), arbitraryArrival, async ({ fills, markets, asOfS }, arrival) => {
        await withTape(
          async (tape, dir) => {
            await tape.addRows('markets', [...markets.values()]);
            await arrive({ tape, dir }, fills, asOfS, arrival);
            for (const atS of [asOfS, asOfS - arrival.pastDays * DAY_S]) {
              const expected = expectedBoard(fills, markets, atS);
              const board = await rateAll(tape, atS);
              expect(differences(board, expected), `as of ${atS}`).to.deep.equal([]);
              expect(edgeCells(board), 'what marks are made of').to.deep.equal(edgeCells(expected));
            }
            await expectWallets(tape, fills);
            expect(await tape.verify()).to.deep.equal([]);
          },
          { rangeFills: arrival.rangeFills },
        );
      }),
      { numRuns: TAPE_RUNS, endOnFailure: true },
    ));

  it('takes every cut-off from the configuration', () =>
    fc.assert(
      fc.asyncProperty(arbitraryTape(SIZE), async ({ fills, markets, asOfS }) => {
        const config = {
          ...RATING_CONFIG,
          ...{ fillSharesMicrosMin: 10_000_000, windowDays: 70, monthDays: 20, slippageMicros: 30_000 },
          ...{ copierPriceMicrosMax: 990_000, clipWindowS: 3_600, filterPriceMicrosMin: 480_000 },
          ...{
            filterPriceMicrosMax: 510_000,
            filterClipSharesMicrosMin: 20_000_000,
            nearCertainPriceMicrosMin: 900_000,
          },
          ...{ roundTripWindowS: 600, roundTripPriceMicros: 5_000, roundTripSoldPctMin: 50 },
        };
        await withTape(async (tape) => {
          await tape.addRows('markets', [...markets.values()]);
          await tape.addFills('all', fills);
          await tape.compact(asOfS + 2 * DAY_S);
          const expected = expectedBoard(fills, markets, asOfS, config);
          expect(differences(await rateAll(tape, asOfS, config), expected)).to.deep.equal([]);
        });
      }),
      { numRuns: 2, endOnFailure: true },
    ));

  it('mirrors of two orders in one second at one price the one of the lowest hash', async () => {
    for (const [low, high] of [
      ['0xa', '0xb'],
      ['', '0x0'],
      ['0xB', '0xb'],
    ] as const) {
      await withTape(async (tape) => {
        // Only the first clip is large enough for the leaderboard's pools.
        const large = (tx: string, token: string) => fillOf({ tx, token, condition: token, sizeMicros: 10_000_000 });
        const small = (tx: string, token: string) => fillOf({ tx, token, condition: token, sizeMicros: 9_000_000 });
        const fills = [large(low, 'in'), small(high, 'in'), small(low, 'out'), large(high, 'out')];
        const lost = marketOf({ condition: 'out', payoutMicros: [0, 1_000_000] });
        await tape.addRows('markets', [marketOf({ condition: 'in' }), lost]);
        await tape.addFills('s', fills.toReversed());
        expect((await rateAll(tape, AS_OF_S))[0]!.window).to.include({ entries: 1, wins: 1 });
        await tape.compact(AS_OF_S);
        expect((await rateAll(tape, AS_OF_S))[0]!.window).to.include({ entries: 1, wins: 1 });
      });
    }
  });

  it('counts the days of a token that was traded all the time', async () => {
    await withTape(async (tape) => {
      const ages = [89, 80, 62, 61, 27, 26, 5, 5];
      const fills = ages.map((age, n) => fillOf({ tx: `0x${n}`, timeS: AS_OF_S - age * DAY_S + n }));
      await tape.addFills('s', fills);
      await tape.compact(AS_OF_S);
      const expected = expectedBoard(fills, new Map(), AS_OF_S);
      expect(expected[0]!.activeDays).to.equal(7);
      for (const asOfS of [AS_OF_S, AS_OF_S + 10 * DAY_S, AS_OF_S - 20 * DAY_S]) {
        const board = await rateAll(tape, asOfS);
        expect(differences(board, expectedBoard(fills, new Map(), asOfS)), `as of ${asOfS}`).to.deep.equal([]);
      }
    });
  });

  it('does not see what came after its moment', async () => {
    await withTape(async (tape) => {
      const fills = [1, 2, 3].map((n) => fillOf({ token: `M${n}:0`, condition: `M${n}`, tx: `0x${n}` }));
      const markets = [marketOf(), marketOf({ condition: 'M2', resolvedAtS: AS_OF_S }), marketOf({ condition: 'M3' })];
      await tape.addFills('before', fills);
      await tape.addRows('markets', markets);
      const before = await rateAll(tape, AS_OF_S);
      const later = [
        fillOf({ timeS: AS_OF_S, token: 'M1:1', outcomeIndex: 1, tx: '0x9' }),
        fillOf({ timeS: AS_OF_S, side: 'SELL', tx: '0x8' }),
        fillOf({ timeS: AS_OF_S + 5, token: 'M4:0', condition: 'M4', tx: '0x7' }),
      ];
      await tape.addFills('after', later);
      await tape.addRows('markets', [marketOf({ condition: 'M4', resolvedAtS: AS_OF_S + 1 })]);
      expect(before).to.have.lengthOf(1);
      expect(before[0]!.resolved).to.equal(3);
      expect(await rateAll(tape, AS_OF_S)).to.deep.equal(before);
      await tape.compact(AS_OF_S + 30 * DAY_S);
      expect(await rateAll(tape, AS_OF_S)).to.deep.equal(before);
    });
  });

  it('scores a market only when its resolution was known', async () => {
    await withTape(async (tape) => {
      await tape.addFills('s', [fillOf()]);
      await tape.addRows('markets', [marketOf({ resolvedAtS: AS_OF_S + 1 })]);
      expect((await rateAll(tape, AS_OF_S))[0]!.resolved).to.equal(0);
      expect((await rateAll(tape, AS_OF_S + DAY_S))[0]!.resolved).to.equal(1);
    });
  });

  it('takes rows that tell of one log position differently for one fill, in whatever order they came', async () => {
    const large = { sizeMicros: 10_000_000 };
    const contradictions: readonly (readonly Partial<Fill>[])[] = [
      [{ priceMicros: 400_000 }, { priceMicros: 600_000 }],
      [{ sizeMicros: 6_000_000 }, { sizeMicros: 6_000_001 }],
      [{ timeS: AS_OF_S - 9 * DAY_S }, { timeS: AS_OF_S - 9 * DAY_S + 1 }],
      [{ side: 'BUY' }, { side: 'SELL' }],
      [{ priceMicros: 400_000 }, { priceMicros: 600_000 }, { priceMicros: 600_000, logIndex: null }],
    ];
    const told = contradictions.map((rows, n) =>
      rows.map((row) => fillOf({ ...large, wallet: `0x${n}`, token: `t${n}`, tx: '0xa', logIndex: 5, ...row })),
    );
    const expected = expectedBoard(told.flat(), new Map([[marketOf().condition, marketOf()]]), AS_OF_S);
    expect(expected.map(({ entryPriceMicros }) => entryPriceMicros)).to.include(600_000n);
    for (const isReversed of [false, true]) {
      await withTape(async (tape) => {
        await tape.addRows('markets', [marketOf()]);
        for (const n of isReversed ? [2, 1, 0] : [0, 1, 2]) {
          await tape.addFills(
            `s${n}`,
            told.flatMap((rows) => rows.slice(n, n + 1)),
          );
        }
        expect(differences(await rateAll(tape, AS_OF_S), expected)).to.deep.equal([]);
        await tape.compact(AS_OF_S);
        expect(differences(await rateAll(tape, AS_OF_S), expected)).to.deep.equal([]);
      });
    }
  });

  it('rates everybody though one wallet has sizes of which no sum fits', async () => {
    await withTape(async (tape) => {
      await tape.addRows('markets', [marketOf()]);
      const absurd = Array.from({ length: 1_100 }, (_, i) =>
        fillOf({ wallet: '0xabsurd', sizeMicros: Number.MAX_SAFE_INTEGER - 1, logIndex: i }),
      );
      const fills = [...absurd, fillOf({ wallet: '0xother' })];
      const expected = expectedBoard(fills, new Map([[marketOf().condition, marketOf()]]), AS_OF_S);
      expect(expected.map(({ wallet }) => wallet)).to.deep.equal(['0xabsurd', '0xother']);
      await tape.addFills('s', fills);
      expect(differences(await rateAll(tape, AS_OF_S), expected)).to.deep.equal([]);
      await tape.compact(AS_OF_S);
      expect(differences(await rateAll(tape, AS_OF_S), expected)).to.deep.equal([]);
    });
  });

  it('has no row for a wallet of which it could say nothing', async () => {
    await withTape(async (tape) => {
      await tape.addRows('markets', [marketOf({ upDown: true })]);
      await tape.addFills('s', [
        fillOf({ wallet: '0xupdown' }),
        fillOf({ wallet: '0xsmall', token: 'N:0', condition: 'N', sizeMicros: 4_999_999 }),
        fillOf({ wallet: '0xseller', token: 'N:0', condition: 'N', side: 'SELL' }),
        fillOf({ wallet: '0xold', token: 'N:0', condition: 'N', timeS: AS_OF_S - 91 * DAY_S }),
        fillOf({ wallet: '0xrated', token: 'N:0', condition: 'N' }),
      ]);
      expect((await rateAll(tape, AS_OF_S)).map(({ wallet }) => wallet)).to.deep.equal(['0xrated']);
    });
  });

  it('is the board of a captured tape, wallet by wallet', async function () {
    const folder = capture(this, 'tape', 'synthetic');
    await withTape(async (tape) => {
      await tape.importCsv({
        fills: join(folder, 'fills.csv.gz'),
        markets: join(folder, 'markets.csv.gz'),
        nowS: SYNTHETIC_AS_OF_S + 60 * DAY_S,
      });
      const { fills, markets } = readSynthetic();
      const expected = expectedBoard(fills, markets, SYNTHETIC_AS_OF_S);
      expect(expected).to.have.lengthOf(507);
      expect(differences(await rateAll(tape, SYNTHETIC_AS_OF_S), expected)).to.deep.equal([]);
      // A cut inside the tape: some of it sorted, some of it not.
      await tape.compact(SYNTHETIC_AS_OF_S);
      expect(differences(await rateAll(tape, SYNTHETIC_AS_OF_S), expected)).to.deep.equal([]);
    });
  });

  it('draws the same outcomes for one seed, others for another, and as often as the prices say', async () => {
    await withTape(async (tape) => {
      // 400 markets that never paid their first outcome, bought at 0.25 by two wallets.
      const numbers = Array.from({ length: 400 }, (_, n) => n);
      const buys = (wallet: string) =>
        numbers.map((n) =>
          fillOf({ wallet, token: `M${n}:0`, condition: `M${n}`, event: '', tx: `0x${n}`, priceMicros: 250_000 }),
        );
      const lost = numbers.map((n) => marketOf({ condition: `M${n}`, payoutMicros: n === 0 ? null : [0, 1_000_000] }));
      await tape.addFills('s', [...buys('0xa'), ...buys('0xb')]);
      await tape.addRows('markets', lost);
      expect((await rateAll(tape, AS_OF_S))[0]!.wins).to.equal(0);
      const drawn = await rateAll(tape, AS_OF_S, RATING_CONFIG, { placeboSeed: 1 });
      expect(await rateAll(tape, AS_OF_S, RATING_CONFIG, { placeboSeed: 1 })).to.deep.equal(drawn);
      expect(await rateAll(tape, AS_OF_S, RATING_CONFIG, { placeboSeed: 2 })).to.not.deep.equal(drawn);
      expect({ ...drawn[1]!, wallet: '0xa' }, 'both wallets meet the same outcomes').to.deep.equal(drawn[0]);
      expect(drawn[0]!.resolved, 'a pending market stays pending').to.equal(399);
      // 100 are expected; the draw is a hash, so this is the same number for ever.
      expect(drawn[0]!.wins).to.be.within(75, 125);
    });
  });

  it('refuses a window whose days it could not count', async () => {
    await withTape(async (tape) => {
      const config = { ...RATING_CONFIG, windowDays: 126 };
      const refusal = await rateAll(tape, AS_OF_S, config).then(String, (error: Error) => error.message);
      expect(refusal).to.equal('tape: a window has at most 125 days; rate with a shorter windowDays');
      const longest = { ...RATING_CONFIG, windowDays: 125 };
      await tape.addFills('s', [fillOf({ timeS: AS_OF_S - 125 * DAY_S })]);
      expect((await rateAll(tape, AS_OF_S, longest))[0]!.activeDays).to.equal(1);
    });
  });
});
