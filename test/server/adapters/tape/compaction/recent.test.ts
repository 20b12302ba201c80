import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { mustMerge, RECENT_PCT_MAX } from '#adapters/tape/compaction/recent';
import { readManifest, recentOf } from '#adapters/tape/files/manifest';
import { entryCutOffs } from '#adapters/tape/sql/entries';
import type { Fill } from '#domain/rating/fill';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import type { Tape } from '#ports/tape';
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

/** Everything stays beside the base. */
const BESIDE = { recentPctMax: 1_000_000 };

/** The n-th fill of a tape: each in a market and a transaction of its own. */
const fill = (n: number, changes: Partial<Fill> = {}) =>
  fillOf({ token: `M${n}:0`, condition: `M${n}`, event: `E${n}`, tx: `0x${n}`, wallet: `0x${n % 3}`, ...changes });
const fills = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => fill(from + n));
const markets = (to: number) =>
  Array.from({ length: to }, (_, n) => marketOf({ condition: `M${n}`, event: '', payoutMicros: [1_000_000, 0] }));

async function night(tape: Tape, segment: string, own: readonly Fill[]): Promise<void> {
  await tape.addFills(segment, own);
  await tape.compact(AS_OF_S);
}

const recentIn = async (dir: string) => recentOf((await readManifest(dir)).sorted).length;

describe('fills that came after the base', () => {
  it('lie beside it, each counted once, and are found by wallet, market and file', async () => {
    await withTape(async (tape, dir) => {
      await tape.addRows('markets', markets(10));
      await night(tape, 'base', fills(0, 10));
      const first = await readFile(join(dir, 'manifest.json'), 'utf8');
      expect(JSON.parse(first), 'a base alone is what earlier versions wrote').to.include({ version: 1 });
      expect(first).to.not.include('recent');
      // One more of a place of the base, the same again, and a new place that is older than all.
      const old = fill(11, { timeS: AS_OF_S - 50 * DAY_S });
      await night(tape, 'n1', [fill(1, { tx: '0xa', timeS: AS_OF_S - 9 * DAY_S }), fill(2), old]);
      await night(tape, 'n2', [fill(1, { tx: '0xb', timeS: AS_OF_S - 8 * DAY_S }), fill(12)]);
      expect(await recentIn(dir)).to.equal(2);
      expect((await readManifest(dir)).version, 'earlier versions do not read past what they do not know').to.equal(2);
      const { bytes: _, ...status } = await tape.status();
      expect(status).to.deep.equal({
        ...{ fills: 14, segments: 0, markets: 10, marketsResolved: 10, compactedThroughDay: '2026-06-30' },
        ...{ firstFillS: old.timeS, lastFillS: AS_OF_S - 8 * DAY_S },
      });
      expect((await tape.fillsOf('0x1')).map(({ tx }) => tx)).to.deep.equal(['0x1', '0x4', '0x7', '0xa', '0xb']);
      expect(await tape.unknownConditions(10)).to.deep.equal(['M12', 'M11']);
      expect(await tape.verify()).to.deep.equal([]);
      const names = (await readdir(join(dir, 'sorted'), { recursive: true })).filter((name) => name.startsWith('3/'));
      expect(names).to.have.length(4);
      for (const name of names) {
        const path = join(dir, 'sorted', name);
        const whole = await readFile(path);
        await writeFile(path, 'something else');
        expect((await tape.verify()).map(({ file }) => file)).to.deep.equal([join('sorted', name)]);
        await writeFile(path, whole);
      }
    }, BESIDE);
  });

  it('are merged with it when they are more than a fifth of it, and what they lay in goes a night later', async () => {
    await withTape(async (tape, dir) => {
      await night(tape, 'base', fills(0, 100));
      await night(tape, 'n1', fills(100, 110));
      await night(tape, 'n2', fills(110, 120));
      expect(await recentIn(dir)).to.equal(2);
      await night(tape, 'n3', fills(120, 121));
      expect([await recentIn(dir), (await tape.status()).fills]).to.deep.equal([0, 121]);
      const folders = () => ['1', '2', '3', '4', '5'].filter((name) => existsSync(join(dir, 'sorted', name)));
      expect(folders(), 'readers of before still have theirs').to.deep.equal(['1', '2', '3', '4']);
      await night(tape, 'n4', fills(121, 122));
      expect(folders()).to.deep.equal(['4', '5']);
      await tape.addFills('n5', []);
      await tape.compact(AS_OF_S);
      expect(await recentIn(dir), 'nothing came, and nothing is written').to.equal(1);
    });
  });

  it('are merged when they are too many, lie in too many files, or the base was made by other cut-offs', () => {
    const files = { fromWallet: '', fills: '', places: '', lastPlaceNo: 0 };
    const base = { conditions: '', throughDay: '', firstFillS: null, lastFillS: null };
    const beside = (generations: number, rows: number) =>
      Array.from({ length: generations }, () => ({
        ranges: [{ ...files, rows, replaced: '', replacedRows: 0 }],
        conditions: '',
      }));
    const sorted = (generations: number, rows: number, cutOffs = entryCutOffs(RATING_CONFIG)) => ({
      ...{ ...base, cutOffs, recent: beside(generations, rows) },
      ranges: [{ ...files, wallets: '', rows: 1_000 }],
    });
    expect(mustMerge(sorted(31, 5), 45, RECENT_PCT_MAX)).to.equal(false);
    expect(mustMerge(sorted(31, 5), 46, RECENT_PCT_MAX)).to.equal(true);
    expect(mustMerge(sorted(32, 5), 1, RECENT_PCT_MAX)).to.equal(true);
    expect(mustMerge(sorted(1, 5, 'others'), 1, RECENT_PCT_MAX)).to.equal(true);
  });

  it('are cut into files of other names by each compaction: the engine remembers what it read under a name', async () => {
    await withTape(async (tape, dir) => {
      const seen: string[] = [];
      const look = () => {
        const names = readdirSync(join(dir, 'tmp'), { recursive: true }) as string[];
        seen.push(...names.filter((name) => /parts-[^/]*$/.test(name)));
      };
      for (let n = 0; n < 2; n++) {
        await tape.addFills(`n${n}`, [fill(n)]);
        await tape.compact(AS_OF_S, (_, done) => done === 0 && look());
      }
      expect(seen).to.have.length(2);
      expect(new Set(seen).size).to.equal(2);
    }, BESIDE);
  });

  it('make a market of the base one that was bought on both sides', async () => {
    await withTape(async (tape) => {
      const all = fills(0, 12).map((one) => ({ ...one, wallet: '0xaaaa' }));
      const other = fill(3, {
        token: 'M3:1',
        outcomeIndex: 1,
        wallet: '0xaaaa',
        tx: '0xc',
        timeS: AS_OF_S - 9 * DAY_S,
      });
      const existing = new Map(markets(12).map((market) => [market.condition, market]));
      await tape.addRows('markets', [...existing.values()]);
      await night(tape, 'base', all);
      await night(tape, 'n1', [other]);
      const board = await rateAll(tape, AS_OF_S);
      expect(board[0]).to.include({ markets: 12, bothSidedMarkets: 1 });
      expect(differences(board, expectedBoard([...all, other], existing, AS_OF_S))).to.deep.equal([]);
      // And so does a fill that no compaction has seen yet.
      const today = { ...other, token: 'M5:1', condition: 'M5', tx: '0xd' };
      await tape.addFills('today', [today]);
      const expected = expectedBoard([...all, other, today], existing, AS_OF_S);
      expect(differences(await rateAll(tape, AS_OF_S), expected)).to.deep.equal([]);
    }, BESIDE);
  });

  it('are rated as after a merge where they do not agree with it on the condition of a token', async () => {
    const later = [fill(2, { condition: 'M1', tx: '0xc' }), fill(4, { condition: 'M9', tx: '0xd' })];
    // Twins of the token by what the base says of it, and by what is said since.
    const before = [fill(1, { wallet: '0x2' }), fill(2), fill(2, { token: 'M2:1', outcomeIndex: 1 }), ...fills(3, 12)];
    const boards: (readonly RatingSums[])[] = [];
    for (const recentPctMax of [0, 1_000_000]) {
      await withTape(
        async (tape) => {
          await tape.addRows('markets', markets(12));
          await night(tape, 'base', before);
          await night(tape, 'n1', later);
          boards.push(await rateAll(tape, AS_OF_S));
        },
        { recentPctMax },
      );
    }
    expect(differences(boards[1]!, boards[0]!)).to.deep.equal([]);
  });
});
