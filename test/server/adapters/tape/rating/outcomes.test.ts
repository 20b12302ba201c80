import { expect } from 'chai';
import fc from 'fast-check';
import type { Fill } from '#domain/rating/fill';
import { findFirstEntries } from '#domain/rating/first-entries';
import { groupBy } from '#domain/rating/group-by';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { type ScoredEntry, scoreEntry } from '#domain/rating/score-entry';
import { ownFills, splitScope } from '#domain/rating/sum-wallet';
import { type TapeMarket, UNKNOWN_MARKET } from '#domain/rating/tape-market';
import type { OutcomeSums, Tape } from '#ports/tape';
import { arbitraryTape } from '#test/support/arbitrary-tapes';
import { TAPE_RUNS } from '#test/support/size';
import { DAY_S, withTape } from '../../support/tape-checks.js';

interface Span {
  readonly fromS: number;
  readonly toS: number;
  readonly knownS: number;
  readonly wallets?: readonly string[];
}

async function outcomesOf(tape: Tape, span: Span): Promise<readonly string[]> {
  const found: OutcomeSums[] = [];
  for await (const batch of tape.outcomes(span, RATING_CONFIG)) found.push(...batch);
  return found.map(({ wallet, dayS, all, filtered }) => lineOf(wallet, dayS, all, filtered)).sort();
}

/** By the pure functions, wallet by wallet, event by event and day by day. */
function expectedOutcomes(
  fills: readonly Fill[],
  markets: ReadonlyMap<string, TapeMarket>,
  span: Span,
): readonly string[] {
  const lines = [...groupBy(fills, ({ wallet }) => wallet)].flatMap(([wallet, own]) => {
    const { inScope } = splitScope(ownFills(wallet, own, span.knownS, RATING_CONFIG), markets);
    const entries = findFirstEntries(inScope, RATING_CONFIG)
      .filter(({ clip }) => clip.timeS >= span.fromS && clip.timeS < span.toS)
      .map((entry) => {
        const { condition } = entry.clip;
        return scoreEntry(
          entry,
          markets.get(condition) ?? { ...UNKNOWN_MARKET, condition },
          span.knownS,
          RATING_CONFIG,
        );
      });
    const byEventAndDay = groupBy(entries, ({ event, clip }) => `${dayOf(clip.timeS)} ${event}`);
    return [...byEventAndDay.values()].map((own) =>
      lineOf(wallet, dayOf(own[0]!.clip.timeS), tallyOf(own), tallyOf(own.filter(passesFilter))),
    );
  });
  return lines.sort();
}

const { filterPriceMicrosMin, filterPriceMicrosMax, filterClipSharesMicrosMin } = RATING_CONFIG;

function passesFilter({ clip: { priceMicros, sizeMicros } }: ScoredEntry): boolean {
  const inBand = priceMicros >= filterPriceMicrosMin && priceMicros <= filterPriceMicrosMax;
  return inBand && sizeMicros >= filterClipSharesMicrosMin;
}

function tallyOf(entries: readonly ScoredEntry[]): OutcomeSums['all'] {
  const results = entries.flatMap(({ result }) => (result === null ? [] : [result]));
  const returnFeeNano = Number(results.reduce((sum, { feeNano }) => sum + feeNano, 0n));
  return { entries: entries.length, scored: results.length, returnFeeNano };
}

const dayOf = (timeS: number) => Math.floor(timeS / DAY_S) * DAY_S;

const lineOf = (wallet: string, dayS: number, all: OutcomeSums['all'], filtered: OutcomeSums['all']) =>
  [wallet, dayS, ...[all, filtered].map((one) => `${one.entries}/${one.scored}/${one.returnFeeNano}`)].join(' ');

describe('what became of entries, in SQL', function () {
  this.timeout(600_000);

  it('is to the last digit what the pure functions make of it, sorted or not', () =>
    fc.assert(
      fc.asyncProperty(
        arbitraryTape({ wallets: 20, conditions: 60, starts: 600 }),
        fc.record({ fromDays: fc.integer({ min: 5, max: 100 }), days: fc.integer({ min: 1, max: 60 }) }),
        async ({ fills, markets, asOfS: knownS }, { fromDays, days }) => {
          const fromS = knownS - fromDays * DAY_S;
          const span = { fromS, toS: fromS + days * DAY_S, knownS };
          const expected = expectedOutcomes(fills, markets, span);
          await withTape(async (tape) => {
            await tape.addRows('markets', [...markets.values()]);
            await tape.addFills('all', fills);
            expect(await outcomesOf(tape, span)).to.deep.equal(expected);
            const some = [...new Set(fills.map(({ wallet }) => wallet))].filter((_, n) => n % 3 === 0);
            const wanted = { ...span, wallets: [...some, "nobody's"] };
            const ofSome = expectedOutcomes(
              fills.filter(({ wallet }) => some.includes(wallet)),
              markets,
              span,
            );
            expect(await outcomesOf(tape, wanted)).to.deep.equal(ofSome);
            expect(await outcomesOf(tape, { ...span, wallets: [] })).to.deep.equal([]);
            await tape.compact(knownS + 2 * DAY_S);
            expect(await outcomesOf(tape, span)).to.deep.equal(expected);
            expect(await outcomesOf(tape, wanted)).to.deep.equal(ofSome);
          });
        },
      ),
      { numRuns: TAPE_RUNS, endOnFailure: true },
    ));
});
