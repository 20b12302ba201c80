import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { importCsv } from '#adapters/tape/csv/import';
import { openTapeDatabase } from '#adapters/tape/engine/database';
import { openTapeFolder } from '#adapters/tape/files/folder';
import { openTape } from '#adapters/tape/tape';
import type { Tape } from '#ports/tape';
import { linesOf, throwDice } from '#test/support/killed-process';
import { COMPACTION_STRIDE, KILL_ROUNDS } from '#test/support/size';
import { writeCsv } from '../../support/csv-files.js';
import { failingAt } from '../../support/failing-database.js';
import { AS_OF_S, DAY_S, fillOf, marketOf, withTape } from '../../support/tape-checks.js';

const CHILD = fileURLToPath(new URL('../../support/replace-child.js', import.meta.url));
const KILL_WITHIN_MS = 1_000;
const DICE = throwDice();

const FILES = ['a.csv', 'b.csv'].map((name, n) => ({
  name,
  fills: [0, 1, 2].map((i) => fillOf({ token: `M${i + n}:0`, condition: `M${i + n}`, tx: `0x${name[0]}${i}` })),
  markets: [marketOf({ condition: 'M1', payoutMicros: n === 0 ? [1_000_000, 0] : [0, 1_000_000] })],
}));

/** What a tape holds of either file: all that it brought, or what it should not. */
async function held(tape: Tape): Promise<string> {
  const fills = (await tape.fillsOf('0xaaaa')).map(({ tx }) => tx);
  const payout = (await tape.marketsOf(['M1'])).get('M1')?.payoutMicros;
  return JSON.stringify([fills, payout]);
}

const WHOLE = FILES.map(({ fills, markets }) =>
  JSON.stringify([['0xlive', ...fills.map(({ tx }) => tx)], markets[0]!.payoutMicros]),
);

/** Runs work with a tape that has the first file, sorted in, and with the paths of both. */
async function withImport(work: (tape: Tape, dir: string, paths: readonly Paths[]) => Promise<void>): Promise<void> {
  await withTape(async (tape, dir) => {
    const paths = [];
    for (const file of FILES) paths.push(await writeCsv(dir, file.name, file));
    await tape.addFills('live', [fillOf({ tx: '0xlive', timeS: AS_OF_S - 20 * DAY_S })]);
    await tape.importCsv({ ...paths[0]!, nowS: AS_OF_S });
    await tape.compact(AS_OF_S);
    expect(await held(tape)).to.equal(WHOLE[0]);
    await work(tape, dir, paths);
  });
}

type Paths = Awaited<ReturnType<typeof writeCsv>>;

describe('a CSV import that takes the place of another and ends in the middle', function () {
  this.timeout(600_000);

  it('leaves the old one, whatever statement it ends at, and succeeds the next time', () =>
    withImport(async (tape, dir, paths) => {
      const folder = await openTapeFolder(dir);
      const database = await openTapeDatabase({ threads: 1, memoryLimit: '1GB', spillFolder: folder.scratch });
      const stride = 3 * COMPACTION_STRIDE;
      let ended = Math.floor(DICE.next() * stride);
      for (; ; ended += stride) {
        const order = { ...paths[1]!, nowS: AS_OF_S, replace: 'a.csv' };
        const isDone = await importCsv(failingAt(database, ended), folder, order).then(
          () => true,
          () => false,
        );
        expect(await held(tape), `seed ${DICE.seed}, ended at statement ${ended}`).to.equal(WHOLE[isDone ? 1 : 0]);
        if (isDone) break;
      }
      expect(ended, 'it has statements').to.be.above(40);
      database.close();
      await folder.close();
      expect(await tape.verify()).to.deep.equal([]);
    }));

  it('leaves the old one or the new one, whatever instant the process dies', () =>
    withImport(async (tape, dir, paths) => {
      const files = paths.flatMap(({ fills, markets }) => [fills, markets]);
      let last = 0;
      let exchanged = 0;
      const rounds = Math.ceil(KILL_ROUNDS / 2);
      for (let round = 0; round < rounds; round++) {
        const { lines } = await linesOf(CHILD, [dir, String(1 - last), ...files], DICE.next() * KILL_WITHIN_MS);
        const done = lines.filter((line) => line.startsWith('done '));
        exchanged += done.length;
        const seen = WHOLE.indexOf(await held(tape));
        expect(seen, `seed ${DICE.seed}, round ${round}: a part of one`).to.be.oneOf([0, 1]);
        // What was told as done is there, and at most one more.
        const received = done.length === 0 ? last : Number(done.at(-1)!.slice('done '.length));
        expect([received, 1 - received], `seed ${DICE.seed}, round ${round}`).to.include(seen);
        last = seen;
      }
      const own = await openTape({ dir, threads: 1 });
      await own.importCsv({ ...paths[1 - last]!, nowS: AS_OF_S, replace: FILES[last]!.name });
      expect(await held(own)).to.equal(WHOLE[1 - last]);
      expect(await own.verify()).to.deep.equal([]);
      await own.close();
      console.log(`      seed ${DICE.seed}: ${rounds} kills, ${exchanged} exchanges`);
    }));
});
