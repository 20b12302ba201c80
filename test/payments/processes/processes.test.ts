import { config, expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { draw } from '#test/support/draw';
import { PaymentWorld } from '#test/support/payment-world';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { FAULT_COLUMNS } from '../matrix/faults.js';
import { preflight } from '../matrix/seller.js';
import { openSite } from '../matrix/site.js';
import { sampleCells } from './cells.js';
import { playAll } from './runner.js';

config.truncateThreshold = 0;

const DRAWN = 2;

/** `npm run prove` plays all of it: tools/prove/processes.prove.ts. */
describe('two services on one data directory', function () {
  this.timeout(PROCESS_TEST_MS);
  const AT_ONCE = 4;
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  const { cases, how } = draw(sampleCells(), DRAWN);

  it(`charge once and say the same, whichever of them dies or is stopped, and nothing untrue (${how})`, async () => {
    expect(await playAll(world, cases, { atOnce: AT_ONCE })).to.deep.equal([]);
  });

  it('let no third one start, which says why in one sentence', async () => {
    const site = await openSite(world, FAULT_COLUMNS[0]!);
    const both = [await preflight.start(site, null), await preflight.start(site, null)];
    try {
      const third = await preflight.start(site, null).then(
        () => 'started',
        (error: Error) => error.message,
      );
      expect(third).to.match(/ended with 1:\n.*store: the processes \d+ and \d+ are at work on this store/s);
      expect(third).to.not.include('    at ');
      expect(both[1]!.output()).to.include('another process is at work on the same store');
    } finally {
      for (const one of both) await one.kill();
      await site.close();
    }
  });
});
