import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { nameOf, replicaCells } from '#test/payments/replicas/cells';
import { BOUND_MS } from '#test/payments/replicas/judge';
import { openPair, type Pair } from '#test/payments/replicas/pair';
import { listBroken, type Played, playOn } from '#test/payments/replicas/runner';
import { PaymentWorld } from '#test/support/payment-world';
import { postgresServer } from '#test/support/postgres';
import { CellProgress } from './support/progress.js';
import { keepCell, readCells } from './support/results.js';
import { selectCells } from './support/select-cells.js';

const PART = 'replicas';
/** Of two processes each, which mostly wait for a lease. */
const PAIRS = Number(process.env.PROVE_PAIRS ?? 6);
const KILLS_MIN = 100;
/** How a take-over is kept with its cell. */
const TAKEN_OVER = /^taken over in (\d+) ms$/;

describe('two replicas on one database', function () {
  // Hours for all cells: it says how long it still takes, and can be interrupted and gone on with.
  this.timeout(0);
  const server = postgresServer();
  const cells = selectCells(replicaCells(), nameOf);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
    process.once('SIGINT', interrupt);
  });
  after(async () => {
    process.off('SIGINT', interrupt);
    await world?.stop();
  });

  it(`charge once and say the same, whichever dies, stops or is cut off: ${cells.length} payments`, async () => {
    const stored = readCells(PART);
    const open = cells.filter((cell) => stored.get(nameOf(cell))?.breaches.length !== 0);
    // What was broken or could not be played comes first.
    const waiting = open.toSorted((a, b) => Number(stored.has(nameOf(b))) - Number(stored.has(nameOf(a))));
    const progress = new CellProgress(PART, waiting.length, nameOf);
    const onPlayed = (played: Played) => {
      const { cell, story, breaches } = played;
      const takenOverMs = story?.took.takenOverMs ?? null;
      const outcome = takenOverMs === null ? 'played' : `taken over in ${Math.round(takenOverMs)} ms`;
      keepCell(PART, { cell: nameOf(cell), outcome, breaches, deaths: [] });
      progress.show(played);
    };
    const play = async (pair: Pair) => {
      try {
        const options = { isTimed: true, onPlayed, signal: interruption.signal };
        const played = await playOn(pair, () => waiting.shift(), options);
        return [...listBroken(played), ...(await pair.faults())];
      } finally {
        await pair.close();
      }
    };
    const playing: Promise<readonly string[]>[] = [];
    // One after the other: all at once they would be too slow for each other's database.
    while (playing.length < Math.min(PAIRS, waiting.length)) playing.push(play(await openPair(world, server)));
    expect((await Promise.all(playing)).flat()).to.deep.equal([]);
    expect(waiting.length, 'cells were left out: --resume goes on with them').to.equal(0);
  });

  it('take over what a killed one leaves within ten seconds', function () {
    const outcomes = [...readCells(PART).values()].map(({ outcome }) => TAKEN_OVER.exec(outcome)?.[1]);
    const took = outcomes.flatMap((ms) => (ms === undefined ? [] : [Number(ms)])).sort((a, b) => a - b);
    if (took.length === 0) this.skip();
    const [medianMs, maxMs] = [took[Math.floor(took.length / 2)]!, took.at(-1)!];
    console.log(`  ${took.length} kills of an owner: taken over in ${medianMs} ms (median), ${maxMs} ms (max)`);
    expect(maxMs).to.be.at.most(BOUND_MS);
    if (process.env.PROVE_CELLS === undefined) expect(took.length).to.be.at.least(KILLS_MIN);
  });
});
