import { expect } from 'chai';
import { CRASH_POINTS } from '#ports/crash-point';
import { PaymentWorld } from '#test/support/payment-world';
import { needAnvil } from '../local/chain-harness.js';
import { sampleCells, VARIANTS } from './matrix-cells.js';
import { FAULT_COLUMNS } from './matrix-faults.js';
import { audit, nameOf, type Played, playAll } from './matrix-runner.js';
import { preflight } from './matrix-seller.js';

describe('payments when the process dies and the facilitator fails', function () {
  this.timeout(300_000);
  const AT_ONCE = 12;
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  it('cover every crash point, fault, operation and version with few cells', () => {
    const cells = sampleCells();
    expect(new Set(cells.flatMap(({ crashes }) => crashes))).to.deep.equal(new Set(CRASH_POINTS));
    expect(new Set(cells.map(({ fault }) => fault))).to.deep.equal(new Set(FAULT_COLUMNS));
    expect(new Set(cells.map(({ operation, version }) => `${operation.name} v${version}`)).size).to.equal(
      VARIANTS.length,
    );
  });

  it('charge once for an answer that is had again byte for byte, and nothing for anything else', async () => {
    const told = (done: number, all: number, { cell, outcome, breaches }: Played) =>
      process.env.MATRIX_LOG && console.error(`${done}/${all} ${nameOf(cell)}: ${outcome} ${breaches.join('; ')}`);
    const played = await playAll(sampleCells(), { world, seller: preflight, atOnce: AT_ONCE, progress: told });
    const broken = played.flatMap(({ cell, breaches }) => breaches.map((breach) => `${nameOf(cell)}: ${breach}`));
    expect(broken).to.deep.equal([]);
    expect((await audit(world, played)).breaches).to.deep.equal([]);
  });
});
