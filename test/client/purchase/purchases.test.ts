import { expect } from 'chai';
import { nameOfCell, playPurchase, SAMPLE_CELLS } from '#test/client/support/purchase-cells';
import { needAnvil } from '#test/local/support/chain-harness';
import { draw } from '#test/support/draw';
import { PaymentWorld } from '#test/support/payment-world';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const DRAWN = 2;

/** `npm run prove` plays every step with every fault: tools/prove/purchases.prove.ts. */
describe('a buyer that is killed at a step of its purchase', function () {
  this.timeout(2 * PROCESS_TEST_MS);
  let world: PaymentWorld;
  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  const { cases, how } = draw(SAMPLE_CELLS, DRAWN);

  it(`gets its answer in the end, for one charge and one nonce, whatever the seller does meanwhile (${how})`, async () => {
    const played = await Promise.all(
      cases.map(async (cell) => (await playPurchase(world, cell)).map((breach) => `${nameOfCell(cell)}: ${breach}`)),
    );
    expect(played.flat().join('\n')).to.equal('');
  });
});
