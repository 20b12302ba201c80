import { config, expect } from 'chai';
import { CRASH_POINTS } from '#ports/crash-point';
import { needAnvil } from '#test/local/support/chain-harness';
import { draw } from '#test/support/draw';
import { PaymentWorld } from '#test/support/payment-world';
import { postgresServer } from '#test/support/postgres';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { PAID_OPERATIONS } from '../matrix/cells.js';
import { ask, sign } from '../matrix/payer.js';
import { type Cell, replicaCells, sampleCells } from './cells.js';
import { openPair, type Pair } from './pair.js';
import { listBroken, playOn } from './runner.js';

config.truncateThreshold = 0;

/** How often an answer is asked for whose payment has no known outcome. */
const ASKED_MAX = 5;

/** Of the pairs, each with its cells. */
const DRAWN = 1;

/** `npm run prove -- replicas` plays all of it: tools/prove/replicas.prove.ts. */
describe('two replicas on one database', function () {
  this.timeout(PROCESS_TEST_MS);
  const server = postgresServer();
  const { cases, how } = draw(sampleCells(), DRAWN);
  const pairs: Pair[] = [];
  let world: PaymentWorld;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
    pairs.push(...(await Promise.all(cases.map(() => openPair(world, server)))));
  });
  after(async () => {
    for (const pair of pairs) await pair.close();
    await world?.stop();
  });

  it('meet every crash point and fault in a few cells', () => {
    const sample = sampleCells().flat();
    expect(new Set(sample.map(({ at }) => at))).to.deep.equal(new Set(CRASH_POINTS));
    for (const what of ['trouble', 'fault', 'asking', 'payer', 'operation', 'version', 'meets'] as const) {
      const kinds = (cells: readonly Cell[]) => new Set(cells.map((cell) => cell[what]));
      expect(kinds(sample), what).to.deep.equal(kinds(replicaCells()));
    }
  });

  it('charge one purchase once, whichever of them is sent the authorizations that are signed for it', async () => {
    const [pair] = pairs as [Pair];
    for (const { call, priceMicros } of PAID_OPERATIONS) {
      const account = await world.newPayer(priceMicros * 4n);
      const signAnew = async (n: number) => {
        const { url } = [pair.owner, pair.other][n % 2]!;
        const signed = await sign(url, call, { version: n < 2 ? 2 : 1, account, windowS: null });
        const named = { ...signed, headers: { ...signed.headers, 'Idempotency-Key': 'one-purchase-of-my-bot' } };
        let answer = await ask(url, named);
        // On a busy machine the outcome may not be known in time: the same payment asks again.
        for (let n = 1; n < ASKED_MAX && answer.status === 500; n++) answer = await ask(url, named);
        return answer;
      };
      const answers = await Promise.all([0, 1, 2, 3].map(signAnew));
      expect(
        answers.map(({ status }) => status),
        answers[0]!.body,
      ).to.deep.equal([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body)).size, call.path).to.equal(1);
      expect(await world.transfersFrom(account.address), call.path).to.have.length(1);
    }
    expect(await pair.faults()).to.deep.equal([]);
  });

  // The last that a pair sees is a kill.
  it(`charge once and say the same, whichever of them dies, stops or is cut from the database (${how})`, async () => {
    const played = pairs.map((pair, n) => {
      const waiting = [...cases[n]!];
      return playOn(pair, () => waiting.shift(), { isTimed: false });
    });
    const broken = listBroken((await Promise.all(played)).flat());
    const unsound = await Promise.all(pairs.map((pair) => pair.faults()));
    expect([...broken, ...unsound.flat()]).to.deep.equal([]);
  });
});
