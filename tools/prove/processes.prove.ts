import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { nameOf, processCells } from '#test/payments/processes/cells';
import { playAll } from '#test/payments/processes/runner';
import { PaymentWorld } from '#test/support/payment-world';
import { selectCells } from './support/select-cells.js';

const CELLS = selectCells(processCells(2_000), nameOf);
/** Each has two processes; most of them wait for a lease, a timeout or a block. */
const AT_ONCE = 10;
const TELL_EVERY = 50;

describe(`two services on one data directory: ${CELLS.length} payments`, function () {
  this.timeout(0);
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  it('charge once and say the same, whichever of them dies or is stopped, and nothing untrue', async () => {
    let played = 0;
    const broken = await playAll(world, CELLS, {
      atOnce: AT_ONCE,
      progress: () => {
        if (++played % TELL_EVERY === 0) process.stderr.write(`  processes: ${played} of ${CELLS.length}\n`);
      },
    });
    expect(broken).to.deep.equal([]);
  });
});
