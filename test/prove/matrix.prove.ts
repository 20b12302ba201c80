import { expect } from 'chai';
import { CRASH_POINTS } from '#ports/crash-point';
import { needAnvil } from '#test/local/support/chain-harness';
import { type Cell, matrixCells } from '#test/payments/matrix/cells';
import { doubleCells, laterPassageCells, randomCells } from '#test/payments/matrix/harder';
import { audit, listBroken, type Played, playAll } from '#test/payments/matrix/runner';
import { preflight } from '#test/payments/matrix/seller';
import { deathsTable, matrixTables, totals } from '#test/payments/matrix/table';
import { throwDice } from '#test/support/killed-process';
import { PaymentWorld } from '#test/support/payment-world';
import { showProgress } from './support/progress.js';

/** Most cells wait for a timeout, a block or their turn to start. */
const AT_ONCE = 16;
const RANDOM_KILLS = 60;

describe('payments when the process dies and the facilitator fails, all of it', function () {
  this.timeout(3_600_000);
  const all: Played[] = [];
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  async function playLoudly(cells: readonly Cell[]): Promise<readonly Played[]> {
    const played = await playAll(cells, { world, seller: preflight, atOnce: AT_ONCE, progress: showProgress });
    all.push(...played);
    return played;
  }

  it('keeps every promise at every crash point with every fault', async () => {
    const played = await playLoudly(matrixCells());
    console.log(`\n${matrixTables(played)}\n\n${totals(played)}`);
    expect(listBroken(played)).to.equal('');
  });

  it('keeps them when it dies again during its recovery, at every point', async () => {
    const played = await playLoudly(doubleCells());
    console.log(`\n${deathsTable(played)}\n\n${totals(played)}`);
    expect(listBroken(played)).to.equal('');
    const secondDeaths = new Set(played.map(({ story }) => story?.deaths[1]).filter((point) => point !== undefined));
    expect([...secondDeaths]).to.have.members([...CRASH_POINTS]);
  });

  it('keeps them when it dies at the second or third passage of a point', async () => {
    const played = await playLoudly(laterPassageCells());
    console.log(totals(played));
    expect(listBroken(played)).to.equal('');
  });

  it('keeps them when it is killed at any instant', async () => {
    const dice = throwDice();
    const played = await playLoudly(randomCells(RANDOM_KILLS, dice));
    console.log(`seed ${dice.seed}: ${totals(played)}`);
    expect(listBroken(played), `seed ${dice.seed}`).to.equal('');
  });

  it('has taken exactly the price of every answer, when all late transfers have landed', async () => {
    const { earnedMicros, breaches } = await audit(world, all);
    console.log(`${all.length} payments earned ${Number(earnedMicros) / 1e6} USDC`);
    expect(breaches).to.deep.equal([]);
  });
});
