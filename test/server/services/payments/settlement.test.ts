import { expect } from 'chai';
import type { PaymentDeps } from '#services/payments/contract';
import { pause } from '#services/payments/settlement';
import { ManualClock } from '#test/support/manual-clock';

describe('the pause between two attempts', () => {
  const clock = new ManualClock();

  async function pauseMs(attempts: number, clientWaiting: boolean, chance: number): Promise<number> {
    const slept: number[] = [];
    const timers = { sleep: async (ms: number) => void slept.push(ms) };
    const deps = { clock, timers, random: { next: () => chance } } as unknown as PaymentDeps;
    const ended = await pause({ attempts, clientWaiting }, deps, new AbortController().signal);
    expect(ended).to.deep.equal({ type: 'pause.ended' });
    expect(slept).to.have.length(1);
    return slept[0]!;
  }
  const attempts = [0, 1, 2, 3, 4, 5];

  it('grows with the attempts that one waiting client has seen', async () => {
    const full = await Promise.all(attempts.map((made) => pauseMs(made, true, 1)));
    expect(full).to.deep.equal([250, 250, 500, 1_000, 2_000, 2_000]);
  });

  it('is half by chance, so that payments that wait together do not come back together', async () => {
    const least = await Promise.all(attempts.map((made) => pauseMs(made, true, 0)));
    expect(least).to.deep.equal([125, 125, 250, 500, 1_000, 1_000]);
  });

  it('ends in the same moment for all payments whose clients have left, once in a block', async () => {
    const ends = new Set<number>();
    for (const [attempts, chance] of [
      [0, 1],
      [5, 0],
      [2, 0.3],
    ] as const) {
      ends.add(clock.elapsedMs() + (await pauseMs(attempts, false, chance)));
      clock.advance(650);
    }
    expect(ends.size).to.equal(1);
    const [endMs] = ends;
    clock.advance(endMs! - clock.elapsedMs());
    expect(await pauseMs(0, false, 0), 'and then in two seconds').to.equal(2_000);
  });
});
