import { expect } from 'chai';
import { createActor } from 'xstate';
import {
  type WalletContext,
  type WalletEvent,
  type WalletInput,
  type WalletSteps,
  walletMachine,
  walletMachineWith,
} from '#machines/wallet.machine';
import { walletNumber } from '#test/contract/store.contract';

const WALLET = walletNumber(0xa);

type StepName = keyof WalletSteps;
type Failing = 'fails';

interface Script extends Partial<Pick<WalletInput, 'state' | 'attempts' | 'lastError'>> {
  /** What comes of the steps: each takes the next outcome, and the last one for ever. */
  readonly steps?: { readonly [Name in StepName]?: readonly (Awaited<ReturnType<WalletSteps[Name]>> | Failing)[] };
}

const covered = { type: 'wallet.profiled', asOfS: 7, isCovered: true } as const;
const uncovered = { type: 'wallet.profiled', asOfS: 7, isCovered: false } as const;
const changed = { type: 'as_of.changed' } as const;
const held = { type: 'as_of.held' } as const;
const givenUp = { type: 'wallet.given_up' } as const;
const again = { type: 'rest.ended' } as const;

const OUTCOMES: { readonly [Name in StepName]: readonly WalletEvent[] } = {
  requeue: [{ type: 'wallet.requeued' }],
  awaitTurn: [{ type: 'turn.came' }],
  profile: [covered],
  compareAsOf: [held],
  recordFailure: [{ type: 'failure.recorded', nextAttemptAtMs: 99 }],
  rest: [again],
  forget: [{ type: 'wallet.forgotten' }],
};

/** What a step is called with, as far as it matters for that step. */
const DETAILS: { readonly [Name in StepName]?: (context: WalletContext) => string } = {
  compareAsOf: ({ asOfS }) => `(${asOfS})`,
  recordFailure: ({ attempts, lastError }) => `(${attempts}, ${lastError})`,
  rest: ({ nextAttemptAtMs }) => `(${nextAttemptAtMs})`,
};

/**
 * Plays a script to its end. Returns the states that were waited in, the steps, and what was known
 * at last.
 */
async function play({ steps = {}, state = 'QUEUED', attempts = 0, lastError = null }: Script) {
  const taken: string[] = [];
  const states: string[] = [];
  const step = (name: StepName) => {
    const outcomes = steps[name] ?? OUTCOMES[name];
    let at = 0;
    return async (context: WalletContext) => {
      taken.push(name + (DETAILS[name]?.(context) ?? ''));
      const outcome = outcomes[Math.min(at++, outcomes.length - 1)];
      if (outcome === 'fails') throw new Error(`${name} broke`);
      return outcome;
    };
  };
  const names = Object.keys(OUTCOMES) as StepName[];
  const given = Object.fromEntries(names.map((name) => [name, step(name)])) as unknown as WalletSteps;
  const input = { wallet: WALLET, state, queuedAtMs: 1, attempts, nextAttemptAtMs: 5, lastError };
  const actor = createActor(walletMachineWith(given), { input });
  await new Promise<void>((resolve, reject) => {
    actor.subscribe({ next: ({ value }) => states.push(value), complete: resolve, error: reject });
    actor.start();
  });
  return { states, taken, context: actor.getSnapshot().context };
}

describe('wallet machine', () => {
  const row = (title: string, script: Script, states: string, steps: string) =>
    it(title, async () => {
      const played = await play(script);
      expect([played.states.join(' '), played.taken.join(' ')]).to.deep.equal([states, steps]);
    });

  row(
    'profiles a wallet when it is its turn',
    {},
    'QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn profile compareAsOf(7)',
  );
  row(
    'queues again what a crash interrupted while it was profiled',
    { state: 'PROFILING' },
    'QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn profile compareAsOf(7)',
  );
  row(
    'says no coverage when the profile is below the floor',
    { steps: { profile: [uncovered] } },
    'QUEUED PROFILING CHECKING NO_COVERAGE',
    'awaitTurn profile compareAsOf(7)',
  );
  for (const [profiled, state] of [
    [covered, 'PROFILED'],
    [uncovered, 'NO_COVERAGE'],
  ] as const) {
    row(
      `profiles a wallet again, and is ${state}, when a newer board came into force meanwhile`,
      { steps: { profile: [profiled, { ...profiled, asOfS: 8 }], compareAsOf: [changed, held] } },
      `QUEUED PROFILING CHECKING REQUEUING QUEUED PROFILING CHECKING ${state}`,
      'awaitTurn profile compareAsOf(7) requeue awaitTurn profile compareAsOf(8)',
    );
  }
  row(
    'lets a rating hold when it cannot be read which board is in force',
    { steps: { compareAsOf: ['fails'] } },
    'QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn profile compareAsOf(7)',
  );
  row(
    'never makes a verdict of a failure: it rests and queues again',
    { steps: { profile: ['fails', covered] } },
    'QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn profile recordFailure(1, profile broke) rest(99) requeue awaitTurn profile compareAsOf(7)',
  );
  row(
    'counts the failures that came one after the other',
    { steps: { profile: ['fails', 'fails', uncovered] } },
    'QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING CHECKING NO_COVERAGE',
    'awaitTurn profile recordFailure(1, profile broke) rest(99) requeue awaitTurn profile ' +
      'recordFailure(2, profile broke) rest(99) requeue awaitTurn profile compareAsOf(7)',
  );
  row(
    'rests when the turn does not come',
    { steps: { awaitTurn: ['fails', { type: 'turn.came' }] } },
    'QUEUED FAILING FAILED REQUEUING QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn recordFailure(1, awaitTurn broke) rest(99) requeue awaitTurn profile compareAsOf(7)',
  );
  row(
    'rests when the row cannot be written',
    { state: 'FAILED', attempts: 1, steps: { requeue: ['fails', { type: 'wallet.requeued' }] } },
    'FAILED REQUEUING FAILING FAILED REQUEUING QUEUED PROFILING CHECKING PROFILED',
    'rest(5) requeue recordFailure(2, requeue broke) rest(99) requeue awaitTurn profile compareAsOf(7)',
  );
  row(
    'rests also when the failure cannot be recorded',
    { steps: { profile: ['fails', covered], recordFailure: ['fails'] } },
    'QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn profile recordFailure(1, profile broke) rest(5) requeue awaitTurn profile compareAsOf(7)',
  );
  row(
    'queues again when resting itself broke',
    { steps: { profile: ['fails', covered], rest: ['fails'] } },
    'QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING CHECKING PROFILED',
    'awaitTurn profile recordFailure(1, profile broke) rest(99) requeue awaitTurn profile compareAsOf(7)',
  );
  for (const forget of ['fails', { type: 'wallet.forgotten' }] as const) {
    row(
      `forgets a wallet that nobody can compute${forget === 'fails' ? ', also when its row cannot be removed' : ''}`,
      { steps: { profile: ['fails'], rest: [again, givenUp], forget: [forget] } },
      'QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING FAILING FAILED FORGETTING FORGOTTEN',
      'awaitTurn profile recordFailure(1, profile broke) rest(99) requeue awaitTurn profile ' +
        'recordFailure(2, profile broke) rest(99) forget',
    );
  }
  row(
    'rests first when an earlier life failed, and counts on',
    { state: 'FAILED', attempts: 3, lastError: 'an earlier life', steps: { profile: ['fails', covered] } },
    'FAILED REQUEUING QUEUED PROFILING FAILING FAILED REQUEUING QUEUED PROFILING CHECKING PROFILED',
    'rest(5) requeue awaitTurn profile recordFailure(4, profile broke) rest(99) requeue awaitTurn profile compareAsOf(7)',
  );

  it('knows as JSON what its row and its rating say', async () => {
    const { context } = await play({ steps: { profile: ['fails', uncovered] } });
    expect(JSON.parse(JSON.stringify(context))).to.deep.equal(context);
    expect(context).to.deep.equal({
      wallet: WALLET,
      queuedAtMs: 1,
      attempts: 0,
      nextAttemptAtMs: 99,
      lastError: null,
      isTakenUpFailed: false,
      asOfS: 7,
      isCovered: false,
    });
  });

  it('rests while a failure is recorded and waited out, and at no other time', () => {
    const resting = Object.values(walletMachine.states).filter(({ tags }) => tags.includes('resting'));
    expect(resting.map(({ key }) => key)).to.deep.equal(['FAILING', 'FAILED']);
  });
});
