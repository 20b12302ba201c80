import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { HistoryImport, Tape } from '#ports/tape';
import { draw } from '#test/support/draw';
import { type HistoryFiles, writeHistory } from '#test/support/history-files';
import { type HistoryWorld, makeHistoryWorld } from '#test/support/history-world';
import { linesOf, throwDice } from '#test/support/killed-process';
import { KILL_ROUNDS } from '#test/support/size';
import { tempFolder } from '#test/support/temp-folder';
import { allFills } from '#test/support/temp-tape';
import { AS_OF_S, TAPE_END_S } from '#tools/bench/skill/calendar';
import { differences, rateAll } from '../../support/tape-checks.js';

const SIZE = {
  seed: 41,
  eventsPerDay: 8,
  wallets: [
    { name: 'no edge', count: 6, entriesMedian: 40 },
    { name: 'skilled +15c', count: 2, entriesMedian: 120 },
    { name: 'both sides', count: 1, entriesMedian: 30 },
  ],
};
const NOW_S = TAPE_END_S;
const CHILD = fileURLToPath(new URL('../../support/history-import-child.js', import.meta.url));
const KILLS = Math.ceil(KILL_ROUNDS / 4);
/** An import takes about so long, from the word that it begins. */
const KILL_WITHIN_MS = 700;

describe('a world in three forms', function () {
  this.timeout(60_000 + KILL_ROUNDS * 5_000);
  let dir: string;
  let world: HistoryWorld;
  let files: HistoryFiles;
  const tapes: Tape[] = [];
  const dirOf = (tape: Tape) => join(dir, `tape-${tapes.indexOf(tape)}`);
  const open = async () => {
    const tape = await openTape({ dir: join(dir, `tape-${tapes.length}`) });
    tapes.push(tape);
    return tape;
  };
  const users = (more: Partial<HistoryImport> = {}): HistoryImport => ({
    ...{ format: 'polymarket-users', files: files.users, tokens: { tables: files.tables }, nowS: NOW_S },
    ...more,
  });
  const orderfilled = (more: Partial<HistoryImport> = {}) =>
    users({ format: 'orderfilled', files: files.orderfilled, ...more });

  before(async () => {
    dir = tempFolder('history');
    world = makeHistoryWorld(SIZE);
    files = await writeHistory(world, dir, 60);
  });
  after(async () => {
    for (const tape of tapes) await tape.close();
  });

  it('gives the same ratings, with and without chance, before and after sorting', async () => {
    const [csv, parquet, logs] = [await open(), await open(), await open()];
    await csv.importCsv({ ...files.csv, nowS: NOW_S });
    await parquet.importHistory(users());
    await logs.importHistory(orderfilled());
    const board = await rateAll(csv, AS_OF_S);
    expect(board.length).to.be.above(SIZE.wallets.reduce((sum, { count }) => sum + count, 0));
    expect(board.some(({ window }) => window.entries > 50)).to.equal(true);
    const drawn = await rateAll(csv, AS_OF_S, RATING_CONFIG, { placeboSeed: 1 });
    for (const tape of [parquet, logs]) {
      expect(differences(await rateAll(tape, AS_OF_S), board)).to.deep.equal([]);
      await tape.compact(NOW_S);
      expect(differences(await rateAll(tape, AS_OF_S, RATING_CONFIG, { placeboSeed: 1 }), drawn)).to.deep.equal([]);
    }
  });

  const killed = draw(
    [
      ['polymarket-users', users],
      ['orderfilled', orderfilled],
    ] as const,
    1,
  );
  for (const [format, order] of killed.cases) {
    it(`is the same tape when the import of ${format} was killed in the middle, and begun again (${killed.how})`, async () => {
      const dice = throwDice();
      const [whole, killed] = [await open(), await open()];
      await whole.importHistory(order());
      await whole.compact(NOW_S);
      const small = JSON.stringify(order({ rowsPerPart: 200 }));
      let kills = 0;
      for (let round = 0; round < KILLS; round++) {
        const { killed: died } = await linesOf(CHILD, [dirOf(killed), small], dice.next() * KILL_WITHIN_MS);
        if (died) kills++;
      }
      const left = await killed.importHistory(order({ rowsPerPart: 200 }));
      await killed.compact(NOW_S);
      const wallets = world.wallets.map(({ wallet }) => wallet);
      const held = await allFills(killed, wallets);
      expect(held, `seed ${dice.seed}`).to.deep.equal(await allFills(whole, wallets));
      expect((await killed.status()).fills, `seed ${dice.seed}`).to.equal((await whole.status()).fills);
      console.log(`      seed ${dice.seed}: ${kills} kills, ${left.rows} rows left`);
    });
  }
});
