import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { createGuessLimiter } from '#http/limits/guess-limit';
import { AT_WORK_AT_ONCE_MAX } from '#http/limits/limits';
import { createRateLimiter } from '#http/limits/rate-limit';
import { ManualClock } from '#test/support/manual-clock';
import { openDoor } from '../support/door.js';

const ADDRESS = '192.0.2.1';
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A limiter of two guesses, and what became of the guesses that were asked for. */
function rig(clock = new ManualClock()) {
  const guess = createGuessLimiter(createRateLimiter({ windowS: 60, points: 20 }, 10, clock), 10);
  const requested = { allowed: 0, refused: 0 };
  const settles: ((isHit: boolean) => Promise<void>)[] = [];
  const ask = async (address = ADDRESS) => {
    const result = await guess(address);
    requested[result.kind]++;
    if (result.kind === 'allowed') settles.push(result.settle);
  };
  return { ask, requested, settles };
}

describe('a limit of guesses', () => {
  it('takes the points of a guess before it is made, and lets the others of its address wait', async () => {
    const { ask, requested, settles } = rig();
    const all = Promise.all(Array.from({ length: 300 }, () => ask()));
    await tick();
    expect(requested).to.deep.equal({ allowed: 2, refused: 0 });
    await Promise.all(settles.map((settle) => settle(false)));
    await all;
    expect(requested).to.deep.equal({ allowed: 2, refused: 298 });
  });

  it('gives them back on a hit, so that a crowd is served in turn', async () => {
    const { ask, requested, settles } = rig();
    const all = Promise.all(Array.from({ length: 50 }, () => ask()));
    for (let served = 0; served < 50; served++) {
      await tick();
      await settles.shift()!(true);
    }
    await all;
    expect(requested).to.deep.equal({ allowed: 50, refused: 0 });
  });

  for (const stepMs of [-3_600_000, 3_600_000, 90_000_000]) {
    it(`allows no more, and none later, when the wall clock is set by ${stepMs / 3_600_000} h`, async () => {
      const clock = new ManualClock();
      const { ask, requested, settles } = rig(clock);
      for (let n = 0; n < 3; n++) await Promise.all([ask(), settles.shift()?.(false)]);
      clock.step(stepMs);
      await Promise.all([ask(), ...settles.splice(0).map((settle) => settle(false))]);
      expect(requested).to.deep.equal({ allowed: 2, refused: 2 });
      clock.advance(60_001);
      await ask();
      expect(requested).to.deep.equal({ allowed: 3, refused: 2 });
    });
  }

  it('counts each address by itself', async () => {
    const { ask, requested } = rig();
    for (const address of [ADDRESS, ADDRESS, '192.0.2.2', '192.0.2.3']) await ask(address);
    expect(requested).to.deep.equal({ allowed: 4, refused: 0 });
  });
});

describe('3,000 wrong codes at once', () => {
  it('are at most 20 guesses, and no answer that shows more than that', async () => {
    let guesses = 0;
    const redeem = async () => {
      guesses++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { kind: 'unknown_code' } as const;
    };
    const unused = () => Promise.reject(new Error('not asked for'));
    const door = await openDoor({
      deps: { credits: { redeem, authenticate: unused, balanceOf: unused, issueToWallet: unused } },
    });
    // No more than may be at work at once: of those a busy machine refuses none before its guess.
    const agent = new Agent({ keepAlive: true, maxSockets: AT_WORK_AT_ONCE_MAX });
    const send = (n: number) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const sent = request(`${door.url}/api/redeem`, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode!));
        });
        sent.on('error', reject).end(JSON.stringify({ code: `GUESS${n}`, wallet: `0x${'a'.repeat(40)}` }));
      });
    const statuses = await Promise.all(Array.from({ length: 3_000 }, (_, n) => send(n)));
    agent.destroy();
    expect(guesses).to.be.within(1, 20);
    expect(statuses.filter((status) => status === 404)).to.have.length(guesses);
    expect(statuses.filter((status) => status === 429)).to.have.length(3_000 - guesses);
    await door.stop();
  });
});
