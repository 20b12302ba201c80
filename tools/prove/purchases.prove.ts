import { expect } from 'chai';
import { ALL_CELLS, nameOfCell, type PurchaseCell, playPurchase } from '#test/client/support/purchase-cells';
import { needAnvil } from '#test/local/support/chain-harness';
import { PaymentWorld } from '#test/support/payment-world';

/** Most of the time a cell waits for a timeout. */
const AT_ONCE = 12;
const SHOW_EVERY = 20;

describe('a buyer that is killed at every step of its purchase', function () {
  this.timeout(0);
  let world: PaymentWorld;
  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  it('gets its answer in the end, for one charge and one nonce, whatever the seller does meanwhile', async () => {
    const broken: string[] = [];
    const waiting = [...ALL_CELLS];
    const work = async () => {
      for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) await playOne(cell);
    };
    const playOne = async (cell: PurchaseCell) => {
      for (const breach of await playPurchase(world, cell)) broken.push(`${nameOfCell(cell)}: ${breach}`);
      if (waiting.length % SHOW_EVERY === 0) {
        process.stderr.write(
          `  purchases: ${waiting.length} of ${ALL_CELLS.length} to begin, ${broken.length} broken\n`,
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(broken.join('\n')).to.equal('');
    console.log(`      ${ALL_CELLS.length} cells, 0 broken`);
  });
});
