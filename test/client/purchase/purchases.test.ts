import { expect } from 'chai';
import { nameOfCell, playPurchase, SAMPLE_CELLS } from '#test/client/support/purchase-cells';
import { needAnvil } from '#test/local/support/chain-harness';
import { PaymentWorld } from '#test/support/payment-world';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

/** `npm run prove` plays every step with every fault: tools/prove/purchases.prove.ts. */
describe('a buyer that is killed at a step of its purchase', function () {
  this.timeout(2 * PROCESS_TEST_MS);
  let world: PaymentWorld;
  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  it('gets its answer in the end, for one charge and one nonce, whatever the seller does meanwhile', async () => {
    const played = await Promise.all(
      SAMPLE_CELLS.map(async (cell) =>
        (await playPurchase(world, cell)).map((breach) => `${nameOfCell(cell)}: ${breach}`),
      ),
    );
    expect(played.flat().join('\n')).to.equal('');
  });
});
