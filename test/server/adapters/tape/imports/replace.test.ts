import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openTape } from '#adapters/tape/tape';
import type { Tape } from '#ports/tape';
import { arbitraryTape } from '#test/support/arbitrary-tapes';
import { draw } from '#test/support/draw';
import { outsideErrorOf } from '#test/support/promises';
import { TAPE_RUNS } from '#test/support/size';
import { writeCsv } from '../../support/csv-files.js';
import {
  AS_OF_S,
  DAY_S,
  differences,
  fillOf,
  marketOf,
  rateAll,
  withTape as withAnyTape,
} from '../../support/tape-checks.js';

const NOW_S = AS_OF_S + 3_600;
const fill = (n: number, changes = {}) =>
  fillOf({ token: `M${n}:0`, condition: `M${n}`, event: '', tx: `0x${n}`, wallet: '0xaaaa', ...changes });
const market = (n: number, changes = {}) => marketOf({ condition: `M${n}`, slug: `m-${n}`, ...changes });
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

/**
 * Fills and markets that an import brought by mistake: some of them others brought too, some
 * nobody.
 */
const OLD = { fills: numbers(0, 6).map((n) => fill(n)), markets: [0, 1, 5].map((n) => market(n)), name: 'Old' };
const OTHER = {
  fills: numbers(4, 9)
    .map((n) => fill(n, { wallet: '0xbbbb' }))
    .concat(fill(3)),
  markets: [5, 6].map((n) => market(n, { payoutMicros: [0, 1_000_000] })),
  name: 'Other',
};
const NOTHING = { fills: [], markets: [] };
const NEW = { fills: [fill(2), fill(9)], markets: [market(1, { payoutMicros: [500_000, 500_000] })] };

/** On so few rows a second thread is work and no help. */
const withTape: typeof withAnyTape = (work, options = {}) => withAnyTape(work, { threads: 1, ...options });

type Source = (tape: Tape, dir: string) => Promise<unknown>;
const importOf =
  (name: string, csv: Parameters<typeof writeCsv>[2], more: object = {}): Source =>
  async (tape, dir) =>
    tape.importCsv({ ...(await writeCsv(dir, name, csv)), nowS: NOW_S, ...more });
const recorded: Source = async (tape) => {
  await tape.addRows('markets', [market(0, { payoutMicros: null, resolvedAtS: null }), market(7)]);
  await tape.addFills('live-1', [fill(1), fill(7)]);
};
const resolved: Source = async (tape) => {
  await tape.addRows('markets', [market(0, { payoutMicros: [0, 1_000_000] }), market(2), market(3)]);
  await tape.addFills('live-2', [fill(0, { timeS: AS_OF_S - 9 * DAY_S, tx: '0xlater' })]);
};
const compact: Source = (tape) => tape.compact(NOW_S);

/** Transactions of both. */
const LIVE = ['0x1', '0x7', '0xlater'];

/** All that can be asked of a tape. */
async function reported(tape: Tape) {
  const conditions = numbers(0, 12).map((n) => `M${n}`);
  const { bytes: _, segments: _segments, compactedThroughDay: _day, ...status } = await tape.status();
  const sorted = <Item>(items: Iterable<Item>) => [...items].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  return {
    board: await rateAll(tape, AS_OF_S),
    fills: [...(await tape.fillsOf('0xaaaa')), ...(await tape.fillsOf('0xbbbb'))],
    markets: sorted(await tape.marketsOf(conditions)),
    names: sorted(await tape.namesOf(['0xaaaa', '0xbbbb'])),
    unknown: sorted(await tape.unknownConditions(20)),
    unresolved: sorted(await tape.unresolvedConditions(NOW_S, 20)),
    spans: (await tape.importedSpans()).toSorted((a, b) => a.fromS - b.fromS || a.toS - b.toS),
    status,
  };
}

/** What a tape tells after some steps, and after a compaction besides. */
async function reportedAfter(steps: readonly Source[], options: object = {}) {
  return withTape(async (tape, dir) => {
    for (const step of steps) await step(tape, dir);
    const found = await reported(tape);
    await compact(tape, dir);
    expect(await reported(tape), 'after a compaction').to.deep.equal(found);
    expect(await tape.verify()).to.deep.equal([]);
    return found;
  }, options);
}

describe('a CSV import that takes the place of another', function () {
  this.timeout(600_000);
  const replace = importOf('new.csv', NEW, { replace: 'old.csv' });
  const story = [recorded, importOf('old.csv', OLD), importOf('other.csv', OTHER), resolved];
  const sorted = story.flatMap((step, n) => (n % 2 === 0 ? [step] : [step, compact]));
  let expected: Awaited<ReturnType<typeof reportedAfter>>;

  before(async () => {
    expected = await reportedAfter([recorded, importOf('other.csv', OTHER), resolved, importOf('new.csv', NEW)]);
  });

  const drawn = draw(
    [
      ['before any compaction', story, 20],
      ['after compactions that merge', sorted, 0],
      ['after compactions that add beside the base', sorted, 100_000],
    ] as const,
    1,
  );
  for (const [when, steps, recentPctMax] of drawn.cases) {
    it(`leaves a tape that never had it, ${when} (${drawn.how})`, async () => {
      expect(await reportedAfter([...steps, replace], { recentPctMax })).to.deep.equal(expected);
    });
  }

  it('says how many fills and markets go, on a dry run as well, and the replaced file may come again', async () => {
    await withTape(async (tape, dir) => {
      for (const step of [...story, compact]) await step(tape, dir);
      const [held, order] = [await reported(tape), { ...(await writeCsv(dir, 'new.csv', NEW)), nowS: NOW_S }];
      const counts = { fills: 2, fillsReplaced: 6, markets: 1, marketsReplaced: 3, marketsKnown: 1, isRepeated: false };
      expect(await tape.importCsv({ ...order, replace: 'old.csv', isDry: true })).to.include(counts);
      expect(await reported(tape), 'a dry run').to.deep.equal(held);
      expect(await tape.importCsv({ ...order, replace: 'old.csv' })).to.include(counts);
      const again = { fillsReplaced: 0, marketsReplaced: 0, isRepeated: true };
      expect(await tape.importCsv({ ...order, replace: 'new.csv' }), 'the same once more').to.include(again);
      const old = { ...(await writeCsv(dir, 'old.csv', OLD)), nowS: NOW_S };
      expect(await tape.importCsv(old)).to.include({ fills: 6, isRepeated: false, fillsReplaced: 0 });
      const withNew = new Set([...held.fills, fill(9)].map(({ tx }) => tx));
      expect(new Set((await reported(tape)).fills.map(({ tx }) => tx))).to.deep.equal(withNew);
      await tape.compact(NOW_S);
      for (const file of ['old.csv', 'other.csv', 'new.csv'])
        await importOf('no.csv', NOTHING, { replace: file })(tape, dir);
      expect(
        (await reported(tape)).fills.map(({ tx }) => tx),
        'those that were recorded',
      ).to.deep.equal(LIVE);
    });
  });

  it('takes back files of that very name alone', async () => {
    await withTape(async (tape, dir) => {
      await importOf('a.csv', OLD)(tape, dir);
      await importOf('a.csv-b.csv', OTHER)(tape, dir);
      const stored = await tape.fillsOf('0xbbbb');
      await tape.compact(NOW_S);
      await importOf('c.csv', NEW, { replace: 'a.csv' })(tape, dir);
      expect(await tape.fillsOf('0xbbbb')).to.deep.equal(stored);
    });
  });

  it('is refused, and changes nothing, if nothing is known under the name', async () => {
    await withTape(async (tape, dir) => {
      await importOf('old.csv', OLD)(tape, dir);
      await tape.compact(NOW_S);
      const manifest = join(dir, 'manifest.json');
      // As a version left it that did not keep whose fills are whose.
      const { imports: _, ...kept } = JSON.parse(await readFile(manifest, 'utf8'));
      await writeFile(manifest, JSON.stringify({ ...kept, version: 1 }));
      const fills = await tape.fillsOf('0xaaaa');
      const { message } = await outsideErrorOf(replace(tape, dir) as Promise<unknown>);
      expect(message).to.include('there is no import "old.csv" to replace: nothing was imported under that name, or');
      expect(message).to.include('an earlier version has sorted it in, which did not keep whose fills are whose');
      expect(await tape.fillsOf('0xaaaa')).to.deep.equal(fills);
    });
  });

  it('makes a manifest that earlier versions refuse, and one that they read when no import is left', async () => {
    await withTape(async (tape, dir) => {
      const version = async () => JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')).version;
      await importOf('old.csv', OLD)(tape, dir);
      await tape.compact(NOW_S);
      expect(await version()).to.equal(3);
      await importOf('nothing.csv', NOTHING, { replace: 'old.csv' })(tape, dir);
      expect(await version()).to.equal(1);
    });
  });

  it('does not lose a segment whose name a compaction has only half forgotten', async () => {
    await withTape(async (tape, dir) => {
      const manifest = join(dir, 'manifest.json');
      await tape.addFills('again', [fill(1)]);
      await tape.compact(NOW_S);
      const text = await readFile(manifest, 'utf8');
      await tape.compact(NOW_S);
      // As if it had been killed when the file was gone and the manifest still spoke of it.
      await writeFile(manifest, text);
      await tape.addFills('again', [fill(1)]);
      expect((await tape.status()).segments).to.equal(1);
    });
  });

  it('leaves the ratings of a tape that never had it, whatever was in it', () => {
    const arbitraryStory = fc.record({
      sources: fc.array(fc.subarray([0, 1, 2, 3] as const, { minLength: 1 }), { minLength: 1, maxLength: 60 }),
      compactions: fc.array(fc.constantFrom(null, 0, 20, 100_000), { minLength: 4, maxLength: 4 }),
      rangeFills: fc.constantFrom(60, 1_000_000),
    });
    return fc.assert(
      fc.asyncProperty(
        arbitraryTape({ wallets: 6, conditions: 25, starts: 70 }),
        arbitraryStory,
        async ({ fills, markets, asOfS }, { sources, compactions, rangeFills }) => {
          const of = (source: number) => fills.filter((_, i) => sources[i % sources.length]!.includes(source as 0));
          const rows = [...markets.values()].map((one) => ({ ...one, event: '' }));
          const part = (n: number) => rows.filter((_, i) => i % 3 !== n);
          const wrong = part(0).map((one) => ({ ...one, payoutMicros: one.payoutMicros?.toReversed() ?? null }));
          const csv =
            (name: string, source: number, received: typeof rows, more: object = {}): Source =>
            async (tape, dir) =>
              tape.importCsv({
                ...(await writeCsv(dir, name, { fills: of(source), markets: received })),
                nowS: asOfS + 3 * DAY_S,
                ...more,
              });
          const live: Source = async (tape) => {
            await tape.addRows('markets', part(1));
            await tape.addFills('live', of(3));
          };
          const stored = [csv('other.csv', 1, part(2)), live, csv('new.csv', 2, part(1).slice(0, 9))] as const;
          const steps = [csv('old.csv', 0, wrong), stored[0], stored[1]];
          const boards: unknown[] = [];
          await withTape(
            async (tape, dir) => {
              for (const [n, step] of steps.entries()) {
                await step(tape, dir);
                const recentPctMax = compactions[n]!;
                if (recentPctMax === null) continue;
                const own = await openTape({ dir, recentPctMax, rangeFills });
                await own.compact(asOfS - 20 * DAY_S * n);
                await own.close();
              }
              await csv('new.csv', 2, part(1).slice(0, 9), { replace: 'old.csv' })(tape, dir);
              if (compactions[3] !== null) await tape.compact(asOfS + 4 * DAY_S);
              boards.push(await rateAll(tape, asOfS));
              expect(await tape.verify()).to.deep.equal([]);
            },
            { rangeFills },
          );
          await withTape(async (tape, dir) => {
            for (const step of stored) await step(tape, dir);
            expect(differences(boards[0] as never, await rateAll(tape, asOfS))).to.deep.equal([]);
          });
        },
      ),
      { numRuns: Math.ceil(TAPE_RUNS / 3), endOnFailure: true },
    );
  });
});
