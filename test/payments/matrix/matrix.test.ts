import { config, expect } from 'chai';
import { openCredits } from '#compose/credits';
import { CRASH_POINTS } from '#ports/crash-point';
import { needAnvil, until } from '#test/local/support/chain-harness';
import { draw } from '#test/support/draw';
import { PaymentWorld } from '#test/support/payment-world';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { type Cell, PAID_OPERATIONS, sampleCells, VARIANTS } from './cells.js';
import { FAULT_COLUMNS } from './faults.js';
import { ask, sign } from './payer.js';
import { audit, listBroken, playAll } from './runner.js';
import { Lives, preflight } from './seller.js';
import { openSite } from './site.js';

/** What was broken is named in full. */
config.truncateThreshold = 0;

/** All cells start some seventy services: as with other limits, this one only ends what hangs. */
const MATRIX_TEST_MS = 3 * PROCESS_TEST_MS;

/** Those that die and those that do not, in turns with what the facilitator does to them. */
const DYING_DRAWN = 5;
const LIVING_DRAWN = 2;

/** `npm run prove` plays every crash point with every fault: tools/prove/matrix.prove.ts. */
describe('payments when the process dies and the facilitator fails', function () {
  this.timeout(MATRIX_TEST_MS);
  const AT_ONCE = 12;
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  it('meet every crash point, fault, operation and version in a few cells', () => {
    const cells = sampleCells();
    const variants = new Set(cells.map(({ operation, version }) => `${operation.name} v${version}`));
    expect(new Set(cells.flatMap(({ crashes }) => crashes))).to.deep.equal(new Set(CRASH_POINTS));
    expect(new Set(cells.map(({ fault }) => fault))).to.deep.equal(new Set(FAULT_COLUMNS));
    expect(variants.size).to.equal(VARIANTS.length);
  });

  const isDying = ({ crashes }: Cell) => crashes.length > 0;
  const dying = draw(sampleCells().filter(isDying), DYING_DRAWN);
  const living = draw(
    sampleCells().filter((cell) => !isDying(cell)),
    LIVING_DRAWN,
  );

  it(`charge once for an answer that is had again byte for byte, and nothing for anything else (${dying.how})`, async () => {
    const cells = [...dying.cases, ...living.cases];
    const played = await playAll(cells, { world, seller: preflight, atOnce: AT_ONCE });
    expect(listBroken(played)).to.equal('');
    expect((await audit(world, played)).breaches).to.deep.equal([]);
  });

  it('settle what they were at when they died, though nobody asks again', async () => {
    const { call, priceMicros } = PAID_OPERATIONS[0]!;
    const site = await openSite(world, FAULT_COLUMNS.find(({ group, name }) => group === 'after' && name === 'drop')!);
    const lives = new Lives(preflight, site, ['settle.after']);
    const { store } = openCredits(site.dataDir);
    try {
      const account = await world.newPayer(priceMicros);
      const payment = await sign(await lives.url(), call, { version: 2, account, windowS: null });
      expect((await ask(await lives.url(), payment)).status).to.equal('cut');
      expect(await lives.diedNow()).to.equal(true);
      const countOpen = async () => (await store.openPayments(null, 10)).items.length;
      expect(await countOpen()).to.equal(1);
      const url = await lives.url();
      await until(async () => (await countOpen()) === 0);
      expect((await ask(url, payment)).status).to.equal(200);
      expect(await world.transfersFrom(account.address)).to.have.length(1);
    } finally {
      await store.close();
      await lives.end();
      await site.close();
    }
  });
});
