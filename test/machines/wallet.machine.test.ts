import { expect } from 'chai';
import { createActor } from 'xstate';
import {
  type Profiled,
  type Rested,
  WALLET_BACKOFF_MS_MAX,
  WALLET_BACKOFF_MS_MIN,
  type WalletEvent,
  type WalletInput,
  walletBackoffMs,
  walletMachine,
} from '#machines/wallet.machine';

type Failing = 'fails';

interface Script {
  readonly from?: WalletInput['from'];
  readonly attempts?: number;
  readonly queue?: readonly ('ok' | Failing)[];
  readonly profile?: readonly (Profiled | Failing)[];
  readonly rest?: readonly (Rested | Failing)[];
  /** Sent when the machine has come to this state. */
  readonly send?: Readonly<Record<string, WalletEvent['type']>>;
}

/** States in which nothing is under way: there a script ends, unless it sends something. */
const RESTING = ['PROFILED', 'NO_COVERAGE', 'STALE', 'FORGOTTEN'];

/** Plays a script: each step takes the next outcome, the last one for ever. Returns the states and steps in order. */
async function play(script: Script): Promise<{ states: string[]; steps: string[] }> {
  const steps: string[] = [];
  const states: string[] = [];
  const take = <T>(name: string, outcomes: readonly T[]) => {
    let at = 0;
    return async (detail = ''): Promise<Exclude<T, Failing>> => {
      steps.push(name + detail);
      const outcome = outcomes[Math.min(at++, outcomes.length - 1)];
      if (outcome === 'fails') throw new Error(`${name} broke`);
      return outcome as Exclude<T, Failing>;
    };
  };
  const queue = take('queue', script.queue ?? ['ok' as const]);
  const profile = take('profile', script.profile ?? ['profiled' as const]);
  const rest = take('rest', script.rest ?? ['again' as const]);
  const given = {
    queue: async () => void (await queue()),
    profile: () => profile(),
    rest: ({ attempts, error }: { attempts: number; error: string }) => rest(`(${attempts}, ${error})`),
  };
  const { from = 'QUEUED', attempts = 0 } = script;
  const input = { steps: given, from, attempts, lastError: attempts === 0 ? null : 'an earlier life' };
  const actor = createActor(walletMachine, { input });
  const sent = new Set<string>();
  await new Promise<void>((resolve) => {
    actor.subscribe(({ value }) => {
      const state = String(value);
      if (states.at(-1) !== state) states.push(state);
      const type = script.send?.[state];
      if (type !== undefined && !sent.has(state)) {
        sent.add(state);
        queueMicrotask(() => actor.send({ type }));
      } else if (RESTING.includes(state)) resolve();
    });
    actor.start();
  });
  actor.stop();
  return { states, steps };
}

describe('wallet machine', () => {
  const row = (title: string, script: Script, states: string, steps: string) =>
    it(title, async () => {
      const played = await play(script);
      expect([played.states.join(' '), played.steps.join(' ')]).to.deep.equal([states, steps]);
    });

  row('profiles a wallet when it is its turn', {}, 'QUEUED PROFILING PROFILED', 'queue profile');
  row(
    'says no coverage where the profile is below the floor',
    { profile: ['no_coverage'] },
    'QUEUED PROFILING NO_COVERAGE',
    'queue profile',
  );
  row(
    'never makes a verdict of a failure: it rests and queues again',
    { profile: ['fails', 'profiled'] },
    'QUEUED PROFILING FAILED QUEUED PROFILING PROFILED',
    'queue profile rest(1, profile broke) queue profile',
  );
  row(
    'counts the failures that came one after the other',
    { profile: ['fails', 'fails', 'fails', 'no_coverage'] },
    'QUEUED PROFILING FAILED QUEUED PROFILING FAILED QUEUED PROFILING FAILED QUEUED PROFILING NO_COVERAGE',
    'queue profile rest(1, profile broke) queue profile rest(2, profile broke) queue profile rest(3, profile broke) queue profile',
  );
  row(
    'rests where the row cannot be written',
    { queue: ['fails', 'ok'] },
    'QUEUED FAILED QUEUED PROFILING PROFILED',
    'queue rest(1, queue broke) queue profile',
  );
  row(
    'queues again where resting itself broke',
    { profile: ['fails', 'profiled'], rest: ['fails'] },
    'QUEUED PROFILING FAILED QUEUED PROFILING PROFILED',
    'queue profile rest(1, profile broke) queue profile',
  );
  row(
    'forgets a wallet that nobody can compute',
    { profile: ['fails'], rest: ['again', 'forgotten'] },
    'QUEUED PROFILING FAILED QUEUED PROFILING FAILED FORGOTTEN',
    'queue profile rest(1, profile broke) queue profile rest(2, profile broke)',
  );
  row(
    'rests first where an earlier life failed, and counts on',
    { from: 'FAILED', attempts: 3, profile: ['fails', 'profiled'] },
    'FAILED QUEUED PROFILING FAILED QUEUED PROFILING PROFILED',
    'rest(3, an earlier life) queue profile rest(4, profile broke) queue profile',
  );
  row('computes nothing that is stale until somebody asks', { from: 'STALE' }, 'STALE', '');
  row(
    'computes what is stale when somebody asks',
    { from: 'STALE', send: { STALE: 'wallet.asked' } },
    'STALE QUEUED PROFILING PROFILED',
    'queue profile',
  );
  for (const [profiled, state] of [
    ['profiled', 'PROFILED'],
    ['no_coverage', 'NO_COVERAGE'],
  ] as const) {
    row(
      `is stale after ${state} once a newer board is in force`,
      { profile: [profiled], send: { [state]: 'as_of.changed' } },
      `QUEUED PROFILING ${state} STALE`,
      'queue profile',
    );
  }
  row(
    'goes round: rated, stale, asked, rated',
    { send: { PROFILED: 'as_of.changed', STALE: 'wallet.asked' } },
    'QUEUED PROFILING PROFILED STALE QUEUED PROFILING PROFILED',
    'queue profile queue profile',
  );
  row(
    'does not mind being asked while it is in work',
    { send: { QUEUED: 'wallet.asked', PROFILING: 'wallet.asked' } },
    'QUEUED PROFILING PROFILED',
    'queue profile',
  );

  it('ends a wait when its actor is stopped', async () => {
    const aborted = new Promise<void>((resolve) => {
      const steps = {
        queue: (signal: AbortSignal) =>
          new Promise<void>(() => signal.addEventListener('abort', () => resolve(), { once: true })),
        profile: async () => 'profiled' as const,
        rest: async () => 'again' as const,
      };
      const actor = createActor(walletMachine, { input: { steps, from: 'QUEUED', attempts: 0, lastError: null } });
      actor.start();
      actor.stop();
    });
    await aborted;
  });

  it('waits longer after each failure, up to a limit, and never for nothing', () => {
    const waits = Array.from({ length: 30 }, (_, n) => walletBackoffMs(n + 1, 1));
    expect(waits.slice(0, 4)).to.deep.equal([5_000, 10_000, 20_000, 40_000]);
    expect(waits.at(-1)).to.equal(WALLET_BACKOFF_MS_MAX);
    expect(walletBackoffMs(1, 0)).to.equal(WALLET_BACKOFF_MS_MIN / 2);
  });
});
