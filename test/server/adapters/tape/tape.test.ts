import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemHost } from '#adapters/process/host';
import { openTapeFolder } from '#adapters/tape/files/folder';
import { openTape } from '#adapters/tape/tape';
import { outsideErrorOf } from '#test/support/promises';
import { tempFolder } from '#test/support/temp-folder';
import { AS_OF_S, DAY_S, differences, fillOf, marketOf, rateAll, withTape } from '../support/tape-checks.js';

describe('tape', () => {
  it('tells what it was told, also after it was opened anew and compacted', async () => {
    const dir = tempFolder('tape');
    const fills = [
      fillOf({ tx: '', logIndex: null, event: '' }),
      fillOf({ tx: '0x2', logIndex: 7, side: 'SELL', sizeMicros: 9_000_000_000_000_000, timeS: AS_OF_S - 5 }),
    ];
    const market = marketOf({ payoutMicros: [333_333, 666_667] });
    const open = marketOf({
      condition: 'M2',
      scheduledEndS: null,
      resolvedAtS: null,
      payoutMicros: null,
      upDown: true,
    });
    const first = await openTape({ dir });
    await first.addFills('s-1', fills);
    await first.addFills('s-2', [fillOf({ wallet: '0xbbbb', token: "it's" })]);
    await first.addRows('markets', [market, open]);
    await first.addRows('names', [{ wallet: '0xaaaa', name: "O'Neil" }]);
    await first.addRows('names', [
      { wallet: '0xcccc', name: 'C' },
      { wallet: '0xaaaa', name: 'Neil' },
      { wallet: '0x9', name: 'Nine' },
    ]);
    await first.saveProgress('download', { page: 3 });
    await first.close();
    const tape = await openTape({ dir });
    for (const compacted of [false, true]) {
      if (compacted) await tape.compact(AS_OF_S);
      expect(await tape.fillsOf('0xaaaa')).to.deep.equal(fills);
      expect(await tape.fillsOf('0xbbbb')).to.have.lengthOf(1);
      expect(await tape.fillsOf('0xcccc')).to.deep.equal([]);
      expect(await tape.marketsOf(['M1', 'M2', 'M3'])).to.deep.equal(
        new Map([
          ['M1', market],
          ['M2', open],
        ]),
      );
      expect(await tape.namesOf(['0xaaaa', '0xbbbb'])).to.deep.equal(new Map([['0xaaaa', 'Neil']]));
      const names = [];
      for await (const batch of tape.names()) names.push(...batch);
      expect(names, 'each once, by wallet').to.deep.equal([
        { wallet: '0x9', name: 'Nine' },
        { wallet: '0xaaaa', name: 'Neil' },
        { wallet: '0xcccc', name: 'C' },
      ]);
    }
    expect(await tape.progressOf('download')).to.deep.equal({ page: 3 });
    expect(await tape.progressOf('other')).to.equal(null);
    await tape.close();
  });

  it('has a segment that is added again once, in its last form', async () => {
    await withTape(async (tape) => {
      const [a, b, c] = ['0x1', '0x2', '0x3'].map((tx) => fillOf({ tx }));
      await tape.addFills('live', [a!, b!]);
      await tape.addFills('live', [a!, b!]);
      expect((await tape.status()).fills).to.equal(2);
      // An earlier day and another content: what counts is the name.
      await tape.addFills('live', [b!, { ...c!, timeS: c!.timeS - 3 * DAY_S }]);
      expect((await tape.fillsOf('0xaaaa')).map(({ tx }) => tx)).to.deep.equal(['0x3', '0x2']);
      await tape.addFills('live', []);
      expect((await tape.status()).fills).to.equal(0);
      // Once its fills are sorted, the segment is no more: a later one of its name adds to them,
      // repeats count once.
      await tape.addFills('live', [a!]);
      await tape.compact(AS_OF_S);
      await tape.addFills('live', [a!, b!]);
      await tape.compact(AS_OF_S);
      await tape.compact(AS_OF_S);
      expect(await tape.status()).to.include({ fills: 2, segments: 0 });
    });
  });

  it('holds fills that are equal but for their number, once each however often they are added', async () => {
    await withTape(async (tape) => {
      const first = fillOf({ tx: '0x1' });
      const equal = [first, { ...first, occurrence: 1 }, { ...first, occurrence: 2 }];
      const held = async () => (await tape.fillsOf('0xaaaa')).map(({ logIndex, occurrence }) => [logIndex, occurrence]);
      const three = [
        [null, 2],
        [null, 1],
        [null, undefined],
      ];
      await tape.addFills('page', equal);
      expect(await held()).to.deep.equal(three);
      await tape.addFills('again', equal.slice(0, 2));
      await tape.compact(AS_OF_S);
      expect(await held()).to.deep.equal(three);
      await tape.addFills('later', equal);
      await tape.compact(AS_OF_S);
      expect(await held()).to.deep.equal(three);
      await tape.addFills(
        'chain',
        [7, 9].map((logIndex) => ({ ...first, logIndex })),
      );
      await tape.compact(AS_OF_S);
      expect(await tape.verify()).to.deep.equal([]);
      expect(await held(), 'two of them have positions now').to.deep.equal([
        [null, 2],
        [7, undefined],
        [9, undefined],
      ]);
    });
  });

  it('keeps fills of the day and later as they came when the days before are compacted', async () => {
    await withTape(async (tape) => {
      await tape.addFills('old', [fillOf({ timeS: AS_OF_S - 1 })]);
      await tape.addFills('new', [fillOf({ timeS: AS_OF_S, tx: '0x2' })]);
      await tape.compact(AS_OF_S + 3_600);
      expect(await tape.status()).to.include({ fills: 2, segments: 1, compactedThroughDay: '2026-06-30' });
      await tape.compact(AS_OF_S - 20 * DAY_S);
      expect((await tape.status()).compactedThroughDay, 'it never goes back').to.equal('2026-06-30');
    });
  });

  it('holds on to the first scheduled end and takes the latest of all else', async () => {
    await withTape(async (tape) => {
      const unknown = { scheduledEndS: null, resolvedAtS: null, payoutMicros: null };
      await tape.addRows('markets', [marketOf({ ...unknown, event: 'E', slug: '' })]);
      await tape.addRows('markets', [marketOf({ ...unknown, scheduledEndS: 100, category: 'other' })]);
      await tape.compact(AS_OF_S);
      await tape.addRows('markets', [marketOf({ scheduledEndS: 200, resolvedAtS: 300, payoutMicros: [1_000_000, 0] })]);
      await tape.addRows('markets', [marketOf({ scheduledEndS: 50, resolvedAtS: 400, payoutMicros: [0, 1_000_000] })]);
      // A source that does not know of the resolution does not undo it.
      await tape.addRows('markets', [marketOf({ ...unknown, feeRateMicros: 7, slug: 'new' })]);
      const expected = marketOf({
        ...{ event: 'E', slug: 'new', feeRateMicros: 7 },
        ...{ scheduledEndS: 100, resolvedAtS: 400, payoutMicros: [0, 1_000_000] },
      });
      expect((await tape.marketsOf(['M1'])).get('M1')).to.deep.equal(expected);
      await tape.compact(AS_OF_S);
      expect((await tape.marketsOf(['M1'])).get('M1')).to.deep.equal(expected);
    });
  });

  it('knows which markets it has to ask for', async () => {
    await withTape(async (tape) => {
      const trade = (n: number, timeS: number) => fillOf({ condition: `M${n}`, token: `M${n}:0`, tx: `0x${n}`, timeS });
      await tape.addFills(
        'a',
        [1, 2, 3, 4].map((n) => trade(n, AS_OF_S - 10 * DAY_S + n)),
      );
      await tape.compact(AS_OF_S);
      await tape.addFills('b', [trade(5, AS_OF_S), trade(1, AS_OF_S + 1)]);
      const open = { resolvedAtS: null, payoutMicros: null };
      expect(await tape.unknownConditions(10)).to.deep.equal(['M1', 'M5', 'M4', 'M3', 'M2']);
      await tape.addRows('markets', [
        marketOf({ ...open, condition: 'M1', scheduledEndS: 500 }),
        marketOf({ ...open, condition: 'M2', scheduledEndS: null }),
        marketOf({ ...open, condition: 'M3', scheduledEndS: 501 }),
        marketOf({ condition: 'M4' }),
        marketOf({ ...open, condition: 'M9', scheduledEndS: 1 }),
      ]);
      expect(await tape.unknownConditions(10)).to.deep.equal(['M5']);
      expect(await tape.unresolvedConditions(500, 10)).to.deep.equal(['M1', 'M2', 'M9']);
      expect(await tape.unresolvedConditions(501, 2)).to.deep.equal(['M1', 'M3']);
    });
  });

  it('tells how much there is', async () => {
    await withTape(async (tape) => {
      expect(await tape.status()).to.deep.equal({
        ...{ fills: 0, segments: 0, markets: 0, marketsResolved: 0, bytes: 0 },
        ...{ firstFillS: null, lastFillS: null, compactedThroughDay: null },
      });
      await tape.addFills('a', [
        fillOf({ timeS: AS_OF_S - DAY_S }),
        fillOf({ timeS: AS_OF_S - 5 * DAY_S, sizeMicros: 1 }),
      ]);
      await tape.addRows('markets', [marketOf(), marketOf({ condition: 'M2', payoutMicros: null })]);
      await tape.compact(AS_OF_S - DAY_S);
      await tape.addFills('b', [fillOf({ timeS: AS_OF_S })]);
      const { bytes, ...status } = await tape.status();
      expect(status).to.deep.equal({
        ...{ fills: 3, segments: 1, markets: 2, marketsResolved: 1 },
        ...{ firstFillS: AS_OF_S - 5 * DAY_S, lastFillS: AS_OF_S, compactedThroughDay: '2026-06-29' },
      });
      expect(bytes).to.be.above(1_000);
    });
  });

  it('serves readers while another handle adds and compacts', async () => {
    await withTape(async (tape, dir) => {
      const reader = await openTape({ dir, threads: 1 });
      try {
        await tape.addRows('markets', [marketOf()]);
        for (let n = 0; n < 4; n++) {
          const adding = tape.addFills(`s${n}`, [fillOf({ tx: `0x${n}`, token: `M${n}:0` })]);
          const compacting = n % 2 === 1 ? tape.compact(AS_OF_S) : adding;
          const [, before] = await Promise.all([compacting, rateAll(reader, AS_OF_S)]);
          await adding;
          const own = await rateAll(tape, AS_OF_S);
          expect(own[0]!.firstEntries).to.equal(n + 1);
          expect(before[0]?.firstEntries ?? 0).to.be.within(n, n + 1);
          expect(differences(await rateAll(reader, AS_OF_S), own)).to.deep.equal([]);
        }
      } finally {
        await reader.close();
      }
    });
  });

  it('compacts once at a time, and says so to whoever comes second', async () => {
    await withTape(async (tape, dir) => {
      const other = await openTape({ dir });
      await tape.addFills('s', [fillOf()]);
      const [first, second] = await Promise.allSettled([tape.compact(AS_OF_S), other.compact(AS_OF_S)]);
      const failed = [first, second].filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      expect(failed.map(({ reason }) => [reason.failure, reason.message])).to.deep.equal([
        ['retryable', 'tape: another compaction of this tape is under way; try again when it is done'],
      ]);
      await other.compact(AS_OF_S);
      expect((await other.status()).fills).to.equal(1);
      await other.close();
    });
  });

  it('refuses names that could leave its folder', async () => {
    await withTape(async (tape) => {
      for (const name of ['', '../x', 'a/b', '.hidden', 'a b', 'x'.repeat(201)]) {
        expect((await outsideErrorOf(tape.addFills(name, []))).message).to.contain('cannot name a segment');
        expect((await outsideErrorOf(tape.saveProgress(name, 1))).message).to.contain('cannot name a job');
      }
    });
  });

  it('refuses numbers that it could not keep, and adds nothing', async () => {
    await withTape(async (tape) => {
      for (const wrong of [
        { priceMicros: 0.5 },
        { priceMicros: 2 ** 31 },
        { sizeMicros: 1.5 },
        { timeS: Number.NaN },
      ]) {
        await outsideErrorOf(tape.addFills('s', [fillOf(), fillOf(wrong)]));
      }
      expect((await tape.status()).fills).to.equal(0);
    });
  });

  it('removes what killed processes left behind', async () => {
    await withTape(async (tape, dir) => {
      await tape.addFills('s', [fillOf()]);
      const space = readdirSync(join(dir, 'tmp'))[0]!.split('-')[0];
      // No process has the first number: it is above what Linux gives out. The second is this one.
      const [gone, own] = [4_194_305, process.pid].map((pid) => join(dir, 'tmp', `${space}-${pid}-abc`));
      const unfinished = join(dir, 'sorted', '7');
      for (const folder of [gone!, own!, unfinished]) {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, '1.written'), 'half a file');
      }
      // A process that has nothing to write for long is still there.
      for (const path of [join(own!, '1.written'), own!]) await utimes(path, 1, 1);
      await (await openTape({ dir })).close();
      await tape.compact(AS_OF_S);
      expect([gone!, own!, unfinished].map((folder) => existsSync(folder))).to.deep.equal([false, true, false]);
      expect(await tape.verify()).to.deep.equal([]);
    });
  });

  it('removes nothing of a process that cannot be seen from here, until it has long written nothing', async () => {
    const dir = tempFolder('tape');
    const elsewhere = { ...systemHost, pid: 4_194_305, pidSpace: 'pid:[1]', hasEnded: () => false };
    const there = await openTapeFolder(dir, elsewhere);
    const unknown = await openTapeFolder(dir, { ...elsewhere, pidSpace: null });
    const file = join(there.scratch, '1.written');
    await writeFile(file, 'half a file');
    const openAndClose = async () => (await openTape({ dir })).close();
    const longAgo = new Date((await stat(file)).mtimeMs - 2 * DAY_S * 1e3);
    await utimes(there.scratch, longAgo, longAgo);
    await openAndClose();
    expect([there, unknown].map(({ scratch }) => existsSync(scratch))).to.deep.equal([true, true]);
    await utimes(file, longAgo, longAgo);
    await utimes(unknown.scratch, longAgo, longAgo);
    await openAndClose();
    expect([there, unknown].map(({ scratch }) => existsSync(scratch))).to.deep.equal([false, false]);
  });

  it('goes on where somebody has removed what it had under way', async () => {
    await withTape(async (tape, dir) => {
      const remove = () => rm(join(dir, 'tmp'), { recursive: true });
      await remove();
      await tape.addFills('s', [fillOf()]);
      await remove();
      await tape.compact(AS_OF_S);
      await remove();
      await tape.saveProgress('download', { page: 3 });
      expect(await tape.progressOf('download')).to.deep.equal({ page: 3 });
      expect((await tape.status()).fills).to.equal(1);
    });
  });
});
