import { expect } from 'chai';
import { createActor } from 'xstate';
import {
  type Attempted,
  type PaymentSteps,
  type Prepared,
  paymentMachine,
  type Resolved,
  SETTLE_ATTEMPTS_MAX,
} from '#machines/payment.machine';

type Failing = 'fails';
interface Script {
  readonly restored?: boolean;
  readonly prepare?: Prepared | Failing;
  readonly intent?: Failing;
  readonly settle?: readonly (Attempted | Failing)[];
  readonly resolve?: readonly (Resolved | Failing)[];
  readonly settled?: readonly ('ok' | Failing)[];
  readonly failed?: readonly ('ok' | Failing)[];
  readonly maySubmit?: readonly boolean[];
  /** Sent after so many pauses. */
  readonly gone?: number;
  readonly waiting?: number;
}

const TX = '0xaa';
const settled: Attempted = { kind: 'settled', transaction: TX };
const timeout: Attempted = { kind: 'unknown', reason: 'timeout', transaction: null, pending: false };
const pending: Attempted = { kind: 'unknown', reason: 'settlement_pending', transaction: TX, pending: true };
const refusedConnection: Attempted = { kind: 'not_sent', reason: 'ECONNREFUSED' };
const rejected: Attempted = { kind: 'rejected', reason: 'insufficient_funds' };
const paid: Resolved = { kind: 'paid', transaction: TX };
const unused: Resolved = { kind: 'unused' };
const never: Resolved = { kind: 'never', reason: 'authorization_expired' };
const unclear: Resolved = { kind: 'unknown', reason: 'rpc down' };

/** Plays a script: each step takes the next outcome, the last one for ever. Returns what the machine did, in order. */
async function play(script: Script): Promise<{ end: string; steps: string[] }> {
  const steps: string[] = [];
  const take = <T>(name: string, outcomes: readonly T[]) => {
    let at = 0;
    return async (detail = ''): Promise<Exclude<T, Failing>> => {
      steps.push(name + detail);
      const outcome = outcomes[Math.min(at++, outcomes.length - 1)];
      if (outcome === undefined || outcome === 'fails') throw new Error(`${name} failed`);
      return outcome as Exclude<T, Failing>;
    };
  };
  const settle = take('settle', script.settle ?? [settled]);
  const resolve = take('resolve', script.resolve ?? [unclear]);
  const recordSettled = take('W2', script.settled ?? ['ok' as const]);
  const recordFailed = take('fail', script.failed ?? ['ok' as const]);
  const mayStillSubmit = take('may', script.maySubmit ?? [true]);
  let pauses = 0;
  const given: PaymentSteps = {
    prepare: () => take('prepare', [script.prepare ?? ({ kind: 'ready' } as Prepared)])(),
    recordIntent: async () => void (await take('W1', [script.intent ?? ('ok' as const)])()),
    settle: (facilitator) => settle(`@${facilitator}`),
    resolve: () => resolve(),
    recordSettled: async (transaction) => void (await recordSettled(`(${transaction})`)),
    recordFailed: async (reason, open) => void (await recordFailed(`(${reason}${open ? ', open' : ''})`)),
    mayStillSubmit: () => mayStillSubmit(),
    pause: async (_, clientWaiting) => {
      pauses++;
      steps.push(clientWaiting ? 'pause' : 'watch');
      if (pauses === script.gone) actor.send({ type: 'clients.gone' });
      if (pauses === script.waiting) actor.send({ type: 'client.waiting' });
      // For ever: the script has no end of its own.
      if (pauses > 20) await new Promise(() => {});
    },
  };
  const actor = createActor(paymentMachine, { input: { restored: script.restored ?? false, steps: given } });
  const end = await new Promise<string>((resolveEnd) => {
    actor.subscribe((snapshot) => {
      if (snapshot.status === 'done') resolveEnd(String(snapshot.value));
    });
    actor.start();
    setTimeout(() => resolveEnd(String(actor.getSnapshot().value)), 150);
  });
  actor.stop();
  return { end, steps };
}

describe('payment machine', () => {
  const row = (title: string, script: Script, end: string, steps: string) =>
    it(title, async () => {
      const played = await play(script);
      expect([played.end, played.steps.slice(0, steps.split(' ').length).join(' ')]).to.deep.equal([end, steps]);
    });

  row('settles: intent first, proof last', {}, 'SETTLED', 'prepare W1 settle@0 W2(0xaa)');
  row('sends nothing where preparing said no', { prepare: { kind: 'released' } }, 'RELEASED', 'prepare');
  row('sends nothing where preparing failed', { prepare: 'fails' }, 'RELEASED', 'prepare');
  row('sends nothing where the intent could not be written', { intent: 'fails' }, 'RELEASED', 'prepare W1');
  row(
    'asks the chain after an unclear answer, and finds the payment',
    { settle: [timeout], resolve: [paid] },
    'SETTLED',
    'prepare W1 settle@0 resolve W2(0xaa)',
  );
  row(
    'asks the chain after a step that broke',
    { settle: ['fails'], resolve: [paid] },
    'SETTLED',
    'prepare W1 settle@0 resolve W2(0xaa)',
  );
  row(
    'sends again, to the next facilitator, once the chain says unused',
    { settle: [timeout, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1 settle@0 resolve pause may settle@1 W2(0xaa)',
  );
  row(
    'sends again to the same facilitator while that one is at it',
    { settle: [pending, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1 settle@0 resolve pause may settle@0 W2(0xaa)',
  );
  row(
    'takes the next facilitator where one was never reached',
    { settle: [refusedConnection, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1 settle@0 resolve pause may settle@1 W2(0xaa)',
  );
  row(
    'sends nothing again while the chain cannot be asked',
    { settle: [timeout], resolve: [unclear, 'fails', unclear, paid] },
    'SETTLED',
    'prepare W1 settle@0 resolve pause resolve pause resolve pause resolve W2(0xaa)',
  );
  row(
    'believes no definitive no before the chain has confirmed it, and watches on after it',
    { settle: [rejected], resolve: [unused, unused, never] },
    'FAILED',
    'prepare W1 settle@0 resolve fail(insufficient_funds, open) watch resolve watch resolve fail(insufficient_funds)',
  );
  row(
    'finds the payment behind a definitive no that was a lie',
    { settle: [rejected], resolve: [paid] },
    'SETTLED',
    'prepare W1 settle@0 resolve W2(0xaa)',
  );
  row(
    'turns an early failure into a settlement where the transfer comes late',
    { settle: [rejected], resolve: [unused, paid] },
    'SETTLED',
    'prepare W1 settle@0 resolve fail(insufficient_funds, open) watch resolve W2(0xaa)',
  );
  row(
    'fails on proof that the authorization never paid',
    { settle: [timeout], resolve: [never] },
    'FAILED',
    'prepare W1 settle@0 resolve fail(authorization_expired)',
  );
  row(
    'writes the settlement again where the store failed, from the chain',
    { settled: ['fails', 'ok'], resolve: [paid] },
    'SETTLED',
    'prepare W1 settle@0 W2(0xaa) pause resolve W2(0xaa)',
  );
  row(
    'writes the failure again where the store failed',
    { settle: [timeout], resolve: [never], failed: ['fails', 'ok'] },
    'FAILED',
    'prepare W1 settle@0 resolve fail(authorization_expired) pause resolve fail(authorization_expired)',
  );
  row(
    'sends nothing any more shortly before the authorization ends',
    { settle: [timeout], resolve: [unused, unused, never], maySubmit: [false] },
    'FAILED',
    'prepare W1 settle@0 resolve pause may resolve pause resolve fail(authorization_expired)',
  );
  row(
    'only asks the chain when nobody waits any more',
    { settle: [timeout], resolve: [unused], gone: 1 },
    'WAITING',
    'prepare W1 settle@0 resolve pause resolve watch resolve watch resolve',
  );
  row(
    'sends again when somebody waits again',
    { settle: [timeout, settled], resolve: [unused], gone: 1, waiting: 3 },
    'SETTLED',
    'prepare W1 settle@0 resolve pause resolve watch resolve watch resolve pause may settle@1 W2(0xaa)',
  );
  row(
    'starts with the chain after a crash, and sends nothing by itself',
    { restored: true, resolve: [unused] },
    'WAITING',
    'resolve watch resolve watch',
  );
  row(
    'finishes after a crash what the chain shows paid',
    { restored: true, resolve: [paid] },
    'SETTLED',
    'resolve W2(0xaa)',
  );
  row(
    'sends after a crash only for a client that came back',
    { restored: true, resolve: [unused], waiting: 1 },
    'SETTLED',
    'resolve watch resolve pause may settle@0 W2(0xaa)',
  );

  row(
    'takes nobody’s no for proof while an earlier attempt may still land',
    { settle: [timeout, rejected], resolve: [unused, unused, paid] },
    'SETTLED',
    'prepare W1 settle@0 resolve pause may settle@1 resolve pause may',
  );
  row(
    'takes nobody’s no for proof after a crash: the attempt before it may still land',
    { restored: true, settle: [rejected], resolve: [unused, unused, never], waiting: 1 },
    'FAILED',
    'resolve watch resolve pause may settle@0 resolve fail(authorization_expired)',
  );

  it('makes at most so many attempts for one waiting client', async () => {
    const { end, steps } = await play({ settle: [timeout], resolve: [unused] });
    expect(end).to.equal('WAITING');
    expect(steps.filter((step) => step.startsWith('settle'))).to.have.length(SETTLE_ATTEMPTS_MAX);
  });
});
