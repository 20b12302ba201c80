import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import type { FailingLine } from '#test/support/failing-line';
import { PAID_CALLS, type PaidCall, type Sent } from '#test/support/paid-calls';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { type FailingUpstreams, startFailingUpstreams } from './support/failing-upstreams.js';
import { expectAnswered, TRADE } from './support/till.js';

const POLL_INTERVAL_MS = 100;
const LOOKS_MAX = 100;
const REPEATS_MAX = 20;
const LEADERBOARD = PAID_CALLS.find(({ name }) => name === 'leaderboard')!;
/** A slug that nobody has looked up before. */
const coldTrade: PaidCall = {
  ...TRADE,
  call: ({ url }) => ({ url: `${url}${TRADE.path}?slug=looked-up-by-nobody&usd=20` }),
};

describe('a service whose upstream takes questions and answers none', function () {
  this.timeout(PROCESS_TEST_MS);
  let world: FailingUpstreams;

  before(async function () {
    needAnvil(this);
    world = await startFailingUpstreams();
  });
  after(() => world?.stop());
  afterEach(() => world?.heal());

  /** As clients do: a payment whose outcome is not known (on a machine too busy to renew a lease) is sent again. */
  async function buy(call = LEADERBOARD): Promise<Sent> {
    const { v2 } = await world.till.pay(call);
    let sent = await world.till.send(call, v2);
    for (let tries = 0; tries < REPEATS_MAX && sent.text.includes('"settlement_pending"'); tries++) {
      await sleep(POLL_INTERVAL_MS);
      sent = await world.till.send(call, v2);
    }
    return sent;
  }
  const earning = (micros: bigint, act: () => Promise<unknown>) => world.till.earning(micros, act);
  const askedSince = (line: FailingLine, seen: number) => line.questions.slice(seen);

  for (const [what, lines, probe] of [
    ['facilitator', () => world.facilitators, 'GET /supported'],
    ['RPC endpoint', () => world.rpcs, 'eth_chainId'],
  ] as const) {
    it(`sells by the second ${what}, and tries no second payment out on the first`, async () => {
      const [first] = lines();
      world.fail('black hole', [first!]);
      await earning(LEADERBOARD.priceMicros, async () => expectAnswered(await buy()));
      const seen = first!.questions.length;
      for (let n = 0; n < 3; n++) expectAnswered(await buy());
      expect(askedSince(first!, seen).filter((question) => question !== probe)).to.deep.equal([]);
    });

    it(`sells by the first ${what} again once it answers`, async () => {
      const [first] = lines();
      world.fail('black hole', [first!]);
      expectAnswered(await buy());
      await world.heal();
      for (let looks = 0; looks < LOOKS_MAX; looks++) {
        const seen = first!.questions.length;
        expectAnswered(await buy());
        if (askedSince(first!, seen).some((question) => question !== probe)) return;
        await sleep(POLL_INTERVAL_MS);
      }
      throw new Error('it is not used any more');
    });

    it(`says that nothing was charged where both are silent (${what}); the same payment may come again`, async () => {
      const made = await world.till.pay(LEADERBOARD);
      world.fail('black hole', lines());
      await earning(0n, async () =>
        expectUncharged(await world.till.send(LEADERBOARD, made.v2), 'payment_unavailable'),
      );
      await world.heal();
      await earning(LEADERBOARD.priceMicros, async () => {
        expectAnswered(await world.till.send(LEADERBOARD, made.v2));
      });
    });
  }

  it('says that the venue does not answer where its catalog is silent, and charges nothing', async () => {
    world.fail('black hole', [world.gamma]);
    await earning(0n, async () => expectUncharged(await buy(coldTrade), 'venue_unavailable'));
  });

  it('judges a market that it knows while the catalog is silent', async () => {
    expectAnswered(await buy(TRADE));
    world.fail('black hole', [world.gamma]);
    expectAnswered(await buy(TRADE));
  });
});

function expectUncharged({ status, text }: Sent, code: string): void {
  expect(status, text).to.equal(500);
  expect(JSON.parse(text)).to.include({ code });
}
