import { config, expect } from 'chai';
import { CRASH_POINTS } from '#ports/crash-point';
import { needAnvil } from '#test/local/support/chain-harness';
import { PaymentWorld } from '#test/support/payment-world';
import { postgresServer } from '#test/support/postgres';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { type Cell, replicaCells, sampleCells } from './cells.js';
import { openPair } from './pair.js';
import { listBroken, playOn } from './runner.js';

config.truncateThreshold = 0;

/** `npm run prove -- replicas` plays all of it: tools/prove/replicas.prove.ts. */
describe('two replicas on one database', function () {
  this.timeout(PROCESS_TEST_MS);
  const server = postgresServer();
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());

  it('meet every crash point and fault in a few cells', () => {
    const sample = sampleCells().flat();
    expect(new Set(sample.map(({ at }) => at))).to.deep.equal(new Set(CRASH_POINTS));
    for (const what of ['trouble', 'fault', 'asking', 'payer', 'operation', 'version', 'meets'] as const) {
      const kinds = (cells: readonly Cell[]) => new Set(cells.map((cell) => cell[what]));
      expect(kinds(sample), what).to.deep.equal(kinds(replicaCells()));
    }
  });

  it('charge once and say the same, whichever of them dies, stops or is cut from the database', async () => {
    const pairs = await Promise.all(
      sampleCells().map(async (cells) => ({ cells, pair: await openPair(world, server) })),
    );
    try {
      const played = pairs.map(({ cells, pair }) => {
        const waiting = [...cells];
        return playOn(pair, () => waiting.shift(), { isTimed: false });
      });
      const broken = listBroken((await Promise.all(played)).flat());
      const unsound = await Promise.all(pairs.map(({ pair }) => pair.faults()));
      expect([...broken, ...unsound.flat()]).to.deep.equal([]);
    } finally {
      for (const { pair } of pairs) await pair.close();
    }
  });
});
