import { expect } from 'chai';
import { createActor } from 'xstate';
import type { PaymentKey } from '#domain/payment/payment';
import { PROOF_LOOKS_MAX, paymentMachineWith, SETTLE_ATTEMPTS_MAX, SUBMIT_MARGIN_S } from '#machines/payment.machine';
import type { PaymentAnswered, PaymentEnd, PaymentEvent, PaymentSteps } from '#machines/payment-events';
import { deferred } from '#test/support/promises';

type Fails = 'fails';
type Outcome<Step extends keyof PaymentSteps> = Awaited<ReturnType<PaymentSteps[Step]>> | Fails;

/** What each step comes to, time after time; the last outcome stays. */
interface Script {
  /** From a row that says SETTLING, or FAILED for this reason. */
  readonly restored?: true | string;
  /** Unless given, the payment is claimed at once, which is not among the steps. */
  readonly claim?: readonly Outcome<'claim'>[];
  readonly owner?: readonly Outcome<'awaitOwner'>[];
  readonly release?: Outcome<'release'>;
  readonly prepare?: Outcome<'prepare'>;
  readonly intent?: Outcome<'recordIntent'>;
  readonly settle?: readonly Outcome<'settle'>[];
  readonly resolve?: readonly Outcome<'resolve'>[];
  readonly proof?: readonly Outcome<'prove'>[];
  /** It is too dear to be settled on a facilitator's word. */
  readonly waitsForProof?: true;
  readonly settled?: readonly Outcome<'recordSettled'>[];
  readonly failed?: readonly Outcome<'recordFailed'>[];
  /** Events that come during a step, by its number from 1. */
  readonly during?: Readonly<Record<number, PaymentEvent>>;
  /** Pauses that fail, by their numbers. */
  readonly broken?: readonly number[];
  /** The pause that has no end: the script ends there, if the payment does not. */
  readonly lastPause?: number;
}

interface Played {
  readonly end: string;
  readonly steps: string;
  /** The context after each event. */
  readonly contexts: readonly object[];
  readonly output: PaymentEnd | undefined;
}

const TX = '0xaa';
const VALID_BEFORE_S = 1_000;
const claimed = { type: 'payment.claimed', epoch: 1 } as const;
const claimedAfterAnother: Outcome<'claim'> = { type: 'payment.claimed', epoch: 2 };
const takenOver: Outcome<'claim'> = { type: 'payment.taken', epoch: 3 };
const busy: Outcome<'claim'> = { type: 'payment.busy' };
const lost = { type: 'payment.lost' } as const;
const ownerGone: Outcome<'awaitOwner'> = { type: 'owner.gone' };
const prepared: Outcome<'prepare'> = { type: 'payment.prepared', answer: '{"ok":true}' };
const intended: Outcome<'recordIntent'> = { type: 'intent.recorded' };
const settled: Outcome<'settle'> = { type: 'attempt.settled', transaction: TX, facilitator: 'f' };
const timeout: Outcome<'settle'> = { type: 'attempt.unknown', reason: 'timeout', transaction: null, isPending: false };
const pending: Outcome<'settle'> = { type: 'attempt.unknown', reason: 'pending', transaction: TX, isPending: true };
const notSent: Outcome<'settle'> = { type: 'attempt.not_sent', reason: 'ECONNREFUSED' };
const rejected: Outcome<'settle'> = { type: 'attempt.rejected', reason: 'insufficient_funds' };
const paid: Outcome<'resolve'> = { type: 'chain.paid', transaction: TX, blockNumber: 7, logIndex: 1 };
const seen: Outcome<'prove'> = { type: 'proof.seen', transaction: TX, blockNumber: 7, logIndex: 1 };
const unseen: Outcome<'prove'> = { type: 'proof.unknown', reason: 'not seen yet' };
const refuted: Outcome<'prove'> = { type: 'proof.refuted', reason: 'settlement_refuted' };
const required: Outcome<'recordSettled'> = { type: 'proof.required' };
const taken: Outcome<'recordSettled'> = { type: 'transfer.taken' };
const unused: Outcome<'resolve'> = { type: 'chain.unused', chainTimeS: VALID_BEFORE_S - SUBMIT_MARGIN_S };
const unusedLate: Outcome<'resolve'> = { type: 'chain.unused', chainTimeS: VALID_BEFORE_S - SUBMIT_MARGIN_S + 1 };
const never: Outcome<'resolve'> = { type: 'chain.never', reason: 'authorization_expired' };
const unclear: Outcome<'resolve'> = { type: 'chain.unknown', reason: 'rpc down' };
const gone: PaymentEvent = { type: 'clients.gone' };
const waiting: PaymentEvent = { type: 'client.waiting' };
const answered: PaymentAnswered = {
  kind: 'answered',
  body: '{"ok":true,"paid":{}}',
  transaction: TX,
  replayed: false,
  secret: null,
  settledAtMs: 1,
};
const recorded = { type: 'settlement.recorded', answered } as const;
const failed: Outcome<'recordFailed'> = { type: 'failure.recorded', reason: 'insufficient_funds' };
const expired: Outcome<'recordFailed'> = { type: 'failure.recorded', reason: 'authorization_expired' };

/** One machine for all scripts, as one serves all payments: each is found by its key. */
const scripts = new Map<PaymentKey, PaymentSteps>();
const machine = paymentMachineWith({
  claim: (input, run) => scripts.get(input.key)!.claim(input, run),
  awaitOwner: (input, run) => scripts.get(input.key)!.awaitOwner(input, run),
  release: (input, run) => scripts.get(input.key)!.release(input, run),
  prepare: (input, run) => scripts.get(input.key)!.prepare(input, run),
  recordIntent: (input, run) => scripts.get(input.key)!.recordIntent(input, run),
  settle: (input, run) => scripts.get(input.key)!.settle(input, run),
  resolve: (input, run) => scripts.get(input.key)!.resolve(input, run),
  prove: (input, run) => scripts.get(input.key)!.prove(input, run),
  pause: (input, run) => scripts.get(input.key)!.pause(input, run),
  recordSettled: (input, run) => scripts.get(input.key)!.recordSettled(input, run),
  recordFailed: (input, run) => scripts.get(input.key)!.recordFailed(input, run),
});

/** Every transition that the machine has; those that were taken are removed. */
const untaken = new Set(
  [machine.root, ...Object.values(machine.root.states)].flatMap((node) => [
    ...[...node.transitions.values()].flat(),
    ...(node.always ?? []),
  ]),
);

/** Plays a script to its end. Returns what the machine had done, in order. */
async function play(script: Script): Promise<Played> {
  const key = `payment-${scripts.size}` as PaymentKey;
  const steps: string[] = [];
  const ended = deferred();
  const begin = (step: string) => {
    const at = steps.push(step);
    const event = script.during?.[at];
    if (event !== undefined) actor.send(event);
  };
  const take = <T>(outcomes: readonly (T | Fails)[]) => {
    let at = 0;
    return async (step: string): Promise<T> => {
      begin(step);
      const outcome = outcomes[Math.min(at++, outcomes.length - 1)]!;
      if (outcome === 'fails') throw new Error(`${step} failed`);
      return outcome;
    };
  };
  const claim = take(script.claim ?? [claimed]);
  const awaitOwner = take(script.owner ?? [ownerGone]);
  const prepare = take([script.prepare ?? prepared]);
  const recordIntent = take([script.intent ?? intended]);
  const settle = take(script.settle ?? [settled]);
  const resolve = take(script.resolve ?? [unclear]);
  const prove = take(script.proof ?? [seen]);
  const recordSettled = take(script.settled ?? [recorded]);
  const recordFailed = take(script.failed ?? [failed]);
  let pauses = 0;
  scripts.set(key, {
    claim: async () => (script.claim === undefined ? claimed : claim('claim')),
    awaitOwner: () => awaitOwner('wait'),
    release: ({ epoch, end }) => {
      const released: Outcome<'release'> = { type: 'claim.released', end };
      return take([script.release ?? released])(`release(${epoch},${end.kind})`);
    },
    prepare: () => prepare('prepare'),
    recordIntent: ({ answer }) => recordIntent(`W1(${answer})`),
    settle: ({ facilitator }) => settle(`settle@${facilitator}`),
    resolve: () => resolve('resolve'),
    prove: ({ transaction, facilitator }) =>
      prove(`prove(${transaction}${facilitator === null ? '' : ` by ${facilitator}`})`),
    recordSettled: ({ evidence: { kind, transaction } }) =>
      recordSettled(kind === 'word' ? `W2(${transaction})` : `W2(${transaction}, on chain)`),
    recordFailed: ({ reason, open }) => recordFailed(`fail(${reason}${open ? ',open' : ''})`),
    pause: async ({ attempts, clientWaiting }) => {
      const pause = ++pauses;
      begin(clientWaiting ? `pause#${attempts}` : 'watch');
      if (pause === (script.lastPause ?? 20)) {
        ended.resolve();
        return new Promise(() => {});
      }
      if (script.broken?.includes(pause)) throw new Error('pause failed');
      return { type: 'pause.ended' };
    },
  });
  const restored = script.restored !== undefined;
  const refusal = typeof script.restored === 'string' ? script.restored : null;
  const actor = createActor(machine, {
    input: {
      key,
      validBeforeS: VALID_BEFORE_S,
      epoch: restored ? 2 : 0,
      restored,
      refusal,
      waitsForProof: script.waitsForProof ?? false,
    },
    inspect: (inspected) => {
      if (inspected.type !== '@xstate.microstep') return;
      for (const transition of inspected._transitions) untaken.delete(transition);
    },
  });
  const contexts: object[] = [];
  actor.subscribe(({ status, context }) => {
    contexts.push(context);
    if (status === 'done') ended.resolve();
  });
  actor.start();
  await ended.promise;
  const snapshot = actor.getSnapshot();
  actor.stop();
  return { end: String(snapshot.value), steps: steps.join(' '), contexts, output: snapshot.output };
}

/** What a payment is taken through, from its title to its end and every step on the way. */
const ROWS: readonly (readonly [title: string, script: Script, end: string, steps: string])[] = [
  ['settles: intent first, proof last', {}, 'SETTLED', 'prepare W1({"ok":true}) settle@0 W2(0xaa)'],
  [
    'settles what another submitted after the intent',
    { settle: [timeout], resolve: [paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve W2(0xaa, on chain)',
  ],
  [
    'does nothing under a name that is another purchase’s',
    { claim: [{ type: 'purchase.conflict', by: 'idempotency_key' }] },
    'RELEASED',
    'claim',
  ],
  [
    'sends nothing when the payment is refused',
    { prepare: { type: 'payment.refused', reason: 'no' } },
    'RELEASED',
    'prepare release(1,refused)',
  ],
  [
    'sends nothing when it cannot be verified',
    { prepare: { type: 'payment.unavailable', reason: 'answered 502' } },
    'RELEASED',
    'prepare release(1,unavailable)',
  ],
  [
    'sends nothing when there is no answer',
    { prepare: { type: 'answer.declined', cause: new Error('no such market') } },
    'RELEASED',
    'prepare release(1,declined)',
  ],
  ['sends nothing when preparing failed', { prepare: 'fails' }, 'RELEASED', 'prepare release(1,unavailable)'],
  [
    'sends nothing when the chain cannot be asked',
    { intent: { type: 'payment.unavailable', reason: 'the chain cannot be asked' } },
    'RELEASED',
    'prepare W1({"ok":true}) release(1,unavailable)',
  ],
  [
    'sends nothing when the intent could not be written',
    { intent: 'fails' },
    'RELEASED',
    'prepare W1({"ok":true}) release(1,unavailable)',
  ],
  [
    'says nothing of a payment whose claim could not be given up: somebody else may send it',
    { prepare: { type: 'payment.refused', reason: 'no' }, release: 'fails' },
    'LEFT',
    'prepare release(1,refused)',
  ],
  ['says nothing of a payment that it could not claim', { claim: ['fails'] }, 'LEFT', 'claim'],
  [
    'is refused without a claim',
    { claim: [{ type: 'payment.refused', reason: 'another request' }] },
    'RELEASED',
    'claim',
  ],
  ['is not begun without a claim', { claim: [{ type: 'payment.unavailable', reason: 'full' }] }, 'RELEASED', 'claim'],
  ['finds the answer in its row when it claims', { claim: [recorded] }, 'SETTLED', 'claim'],
  ['finds the refusal in its row when it claims', { claim: [failed] }, 'FAILED', 'claim'],
  [
    'gives up a claim that no client waits for any more',
    { claim: [claimed], during: { 1: gone } },
    'RELEASED',
    'claim release(1,unavailable)',
  ],
  [
    'goes on from the row that a dead owner left, beginning with the chain',
    { claim: [takenOver], resolve: [unused] },
    'SETTLED',
    'claim resolve pause#0 settle@0 W2(0xaa)',
  ],
  ['waits for the answer of the process that owns it', { claim: [busy], owner: [recorded] }, 'SETTLED', 'claim wait'],
  ['waits for the refusal of the process that owns it', { claim: [busy], owner: [failed] }, 'FAILED', 'claim wait'],
  [
    'claims a payment that its owner has left',
    { claim: [busy, claimed], owner: [ownerGone] },
    'SETTLED',
    'claim wait claim prepare W1({"ok":true}) settle@0 W2(0xaa)',
  ],
  ['leaves it to its owner when no client waits', { claim: [busy], during: { 1: gone } }, 'LEFT', 'claim'],
  [
    'leaves it to its owner when the last client goes',
    { claim: [busy], owner: [recorded], during: { 2: gone } },
    'LEFT',
    'claim wait',
  ],
  ['leaves it to its owner when that cannot be watched', { claim: [busy], owner: ['fails'] }, 'LEFT', 'claim wait'],
  [
    'refuses nobody when its claim was lost meanwhile',
    { prepare: { type: 'payment.refused', reason: 'no' }, release: lost, owner: [recorded] },
    'SETTLED',
    'prepare release(1,refused) wait',
  ],
  [
    'sends nothing when it was taken over before the intent',
    { intent: lost, owner: [recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) wait',
  ],
  [
    'sends nothing more when it was taken over before an attempt',
    { settle: [timeout, lost], resolve: [unused], owner: [recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 wait',
  ],
  [
    'refuses nobody early when it was taken over',
    { settle: [rejected], resolve: [unused], failed: [lost], owner: [recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve fail(insufficient_funds,open) wait',
  ],
  [
    'refuses nobody for good when it was taken over',
    { settle: [timeout], resolve: [never], failed: [lost], owner: [recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve fail(authorization_expired) wait',
  ],
  [
    'forgets a facilitator’s no when it owns a payment again: others may have sent it meanwhile',
    {
      claim: [claimed, takenOver],
      settle: [rejected, settled],
      resolve: [unused],
      failed: [lost],
      owner: [ownerGone],
    },
    'SETTLED',
    'claim prepare W1({"ok":true}) settle@0 resolve fail(insufficient_funds,open) wait claim resolve pause#0 settle@0 W2(0xaa)',
  ],
  [
    'takes no facilitator’s no for proof in a claim after another’s',
    { claim: [claimedAfterAnother], settle: [rejected, settled], resolve: [unused] },
    'SETTLED',
    'claim prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 W2(0xaa)',
  ],
  [
    'asks the chain after an unclear answer, and finds the payment',
    { settle: [timeout], resolve: [paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve W2(0xaa, on chain)',
  ],
  [
    'asks the chain after a step that broke',
    { settle: ['fails'], resolve: [paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve W2(0xaa, on chain)',
  ],
  [
    'sends again, to the next facilitator, once the chain says unused',
    { settle: [timeout, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 W2(0xaa)',
  ],
  [
    'sends again to the same facilitator while that one is at it',
    { settle: [pending, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@0 W2(0xaa)',
  ],
  [
    'sends again to the same facilitator after a step that broke',
    { settle: ['fails', settled], resolve: [unused] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@0 W2(0xaa)',
  ],
  [
    'takes the next facilitator when one was never reached',
    { settle: [notSent, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 W2(0xaa)',
  ],
  [
    'sends nothing again while the chain cannot be asked',
    { settle: [timeout], resolve: [unclear, 'fails', unclear, paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 resolve pause#1 resolve pause#1 resolve W2(0xaa, on chain)',
  ],
  [
    'sends nothing on an “unused” after which the chain could not be asked',
    { restored: true, resolve: [unused, unclear], during: { 4: waiting }, lastPause: 3 },
    'WAITING',
    'resolve watch resolve watch resolve pause#0',
  ],
  [
    'asks the chain at once when a pause breaks',
    { settle: [timeout], resolve: [unused, paid], broken: [1] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 resolve W2(0xaa, on chain)',
  ],
  [
    'believes no definitive no before the chain has confirmed it, and watches on after it',
    { settle: [rejected], resolve: [unused, unused, never] },
    'FAILED',
    'prepare W1({"ok":true}) settle@0 resolve fail(insufficient_funds,open) watch resolve watch resolve fail(insufficient_funds)',
  ],
  [
    'confirms a definitive no when the chain can be asked again',
    { settle: [rejected], resolve: [unclear, unused, never] },
    'FAILED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 resolve fail(insufficient_funds,open) watch resolve fail(insufficient_funds)',
  ],
  [
    'finds the payment behind a definitive no that was a lie',
    { settle: [rejected], resolve: [paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve W2(0xaa, on chain)',
  ],
  [
    'turns an early failure into a settlement when the transfer comes late',
    { settle: [rejected], resolve: [unused, paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve fail(insufficient_funds,open) watch resolve W2(0xaa, on chain)',
  ],
  [
    'writes an early failure again when the store failed, and sends nothing meanwhile',
    { settle: [rejected], resolve: [unused], failed: ['fails', failed], lastPause: 2 },
    'WAITING',
    'prepare W1({"ok":true}) settle@0 resolve fail(insufficient_funds,open) pause#1 resolve fail(insufficient_funds,open) watch',
  ],
  [
    'lets a row that is settled win over an early failure',
    { settle: [rejected], resolve: [unused], failed: [recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve fail(insufficient_funds,open)',
  ],
  [
    'fails on proof that the authorization never paid',
    { settle: [timeout], resolve: [never], failed: [expired] },
    'FAILED',
    'prepare W1({"ok":true}) settle@0 resolve fail(authorization_expired)',
  ],
  [
    'lets a row that is settled win over a failure',
    { settle: [timeout], resolve: [never], failed: [recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve fail(authorization_expired)',
  ],
  [
    'writes the settlement again when the store failed, from the chain',
    { settled: ['fails', recorded], resolve: [paid] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 W2(0xaa) pause#1 resolve W2(0xaa, on chain)',
  ],
  [
    'writes the failure again when the store failed',
    { settle: [timeout], resolve: [never], failed: ['fails', expired] },
    'FAILED',
    'prepare W1({"ok":true}) settle@0 resolve fail(authorization_expired) pause#1 resolve fail(authorization_expired)',
  ],
  [
    'sends nothing any more shortly before the authorization ends',
    { settle: [timeout], resolve: [unusedLate, unusedLate, never], failed: [expired] },
    'FAILED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 resolve pause#5 resolve fail(authorization_expired)',
  ],
  [
    'only asks the chain when no client waits any more',
    { settle: [timeout], resolve: [unused], during: { 5: gone }, lastPause: 3 },
    'WAITING',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 resolve watch resolve watch',
  ],
  [
    'sends again when a client waits again, after another look at the chain',
    { settle: [timeout, settled], resolve: [unused], during: { 5: gone, 9: waiting } },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 resolve watch resolve watch resolve pause#0 settle@1 W2(0xaa)',
  ],
  [
    'only asks the chain when the client left while the attempt was made',
    { settle: [timeout], resolve: [unused, paid], during: { 3: gone } },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve watch resolve W2(0xaa, on chain)',
  ],
  [
    'starts with the chain after a crash, and sends nothing by itself',
    { restored: true, resolve: [unused], lastPause: 3 },
    'WAITING',
    'resolve watch resolve watch resolve watch',
  ],
  [
    'finishes after a crash what the chain shows paid',
    { restored: true, resolve: [paid] },
    'SETTLED',
    'resolve W2(0xaa, on chain)',
  ],
  [
    'sends after a crash only for a client that came back',
    { restored: true, resolve: [unused], during: { 2: waiting } },
    'SETTLED',
    'resolve watch resolve pause#0 settle@0 W2(0xaa)',
  ],
  [
    'sends after a crash for a client that came while the chain was asked, on what it says',
    { restored: true, resolve: [unused], during: { 1: waiting } },
    'SETTLED',
    'resolve pause#0 settle@0 W2(0xaa)',
  ],
  [
    'watches on after a crash what was called failed, until it cannot pay any more',
    { restored: 'insufficient_funds', resolve: [unused, never] },
    'FAILED',
    'resolve watch resolve fail(authorization_expired)',
  ],
  [
    'takes no facilitator’s no for proof while an earlier attempt may still land',
    { settle: [timeout, rejected, settled], resolve: [unused] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 resolve pause#2 settle@2 W2(0xaa)',
  ],
  [
    'takes no facilitator’s no for proof after a crash: the attempt before it may still land',
    { restored: true, settle: [rejected], resolve: [unused, unused, never], during: { 2: waiting }, failed: [expired] },
    'FAILED',
    'resolve watch resolve pause#0 settle@0 resolve fail(authorization_expired)',
  ],
  [
    'settles what is dear when the receipt is seen, and not before',
    { waitsForProof: true, proof: [unseen, 'fails', seen] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 prove(0xaa by f) pause#1 prove(0xaa by f) pause#2 prove(0xaa by f) W2(0xaa, on chain)',
  ],
  [
    'settles what is dear when the receipt is seen, also where the chain found it by itself',
    { waitsForProof: true, restored: true, resolve: [paid], proof: [unseen, seen] },
    'SETTLED',
    'resolve prove(0xaa) watch prove(0xaa) W2(0xaa, on chain)',
  ],
  [
    'looks for the receipt first when too much is unproven already',
    { settled: [required, recorded], proof: [unseen, seen] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 W2(0xaa) prove(0xaa by f) pause#1 prove(0xaa by f) W2(0xaa, on chain)',
  ],
  [
    'goes on with the next facilitator when a reported settlement is none',
    { waitsForProof: true, settle: [settled], proof: [refuted, seen], resolve: [unused] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 prove(0xaa by f) resolve pause#1 settle@1 prove(0xaa by f) W2(0xaa, on chain)',
  ],
  [
    'does not take the next facilitator’s no for proof after a reported settlement that is none',
    {
      waitsForProof: true,
      settle: [settled, rejected],
      proof: [refuted],
      resolve: [unused, unused, never],
      failed: [expired],
    },
    'FAILED',
    'prepare W1({"ok":true}) settle@0 prove(0xaa by f) resolve pause#1 settle@1 resolve pause#2 settle@2 resolve fail(authorization_expired)',
  ],
  [
    'asks about the authorization itself when a receipt was looked for long enough',
    { waitsForProof: true, proof: [...Array.from({ length: PROOF_LOOKS_MAX }, () => unseen), seen], resolve: [paid] },
    'SETTLED',
    `prepare W1({"ok":true}) settle@0${Array.from({ length: PROOF_LOOKS_MAX }, (_, i) => ` prove(0xaa by f) pause#${Math.min(i + 1, 3)}`).join('')} ` +
      'resolve prove(0xaa) W2(0xaa, on chain)',
  ],
  [
    'looks for the receipt at once when the pause before it breaks',
    { waitsForProof: true, proof: [unseen, seen], broken: [1] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 prove(0xaa by f) pause#1 prove(0xaa by f) W2(0xaa, on chain)',
  ],
  [
    'asks the chain again, and sends nothing, where the transfer is noted for another payment',
    { settle: [timeout], resolve: [unused, paid, paid], settled: [taken, recorded], during: { 4: gone, 7: waiting } },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve watch resolve W2(0xaa, on chain) pause#0 resolve W2(0xaa, on chain)',
  ],
  [
    'asks the chain again, and sends nothing, where the transfer that it showed could not be recorded',
    { settle: [timeout], resolve: [unused, paid, paid], settled: ['fails', recorded], during: { 4: gone, 7: waiting } },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve watch resolve W2(0xaa, on chain) pause#0 resolve W2(0xaa, on chain)',
  ],
  [
    'asks the chain again, and sends nothing, where what a facilitator reported could not be recorded',
    { settle: [timeout, settled], resolve: [unused, paid], settled: ['fails', recorded] },
    'SETTLED',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 W2(0xaa) pause#2 resolve W2(0xaa, on chain)',
  ],
  [
    'makes at most so many attempts for one waiting client',
    { settle: [timeout], resolve: [unused], lastPause: SETTLE_ATTEMPTS_MAX + 1 },
    'WAITING',
    'prepare W1({"ok":true}) settle@0 resolve pause#1 settle@1 resolve pause#2 settle@2 resolve pause#3 ' +
      'settle@3 resolve pause#4 settle@4 resolve pause#5 resolve pause#5',
  ],
];

describe('payment machine', () => {
  for (const [title, script, end, steps] of ROWS) {
    it(title, async () => {
      const played = await play(script);
      expect([played.end, played.steps]).to.deep.equal([end, steps]);
    });
  }

  it('takes each of its edges in one of these', async () => {
    for (const [, script] of ROWS) await play(script);
    const left = [...untaken].map(({ source, eventType, target }) => `${source.key} ${eventType} ${target?.[0]?.key}`);
    expect(left).to.deep.equal([]);
  });

  it('holds nothing in its context that JSON does not', async () => {
    for (const [title, script] of ROWS) {
      const { contexts } = await play(script);
      expect(JSON.parse(JSON.stringify(contexts)), title).to.deep.equal(contexts);
    }
  });

  const outputs: readonly (readonly [string, Script, object])[] = [
    ['the answer of its row', {}, answered],
    ['the reason of its row', { settle: [timeout], resolve: [never] }, { kind: 'refused', reason: failed.reason }],
    [
      'the refusal of a facilitator',
      { prepare: { type: 'payment.refused', reason: 'invalid signature' } },
      { kind: 'refused', reason: 'invalid signature' },
    ],
    [
      'why it could not be looked at',
      { prepare: { type: 'payment.unavailable', reason: 'answered 502' } },
      { kind: 'unavailable', reason: 'answered 502' },
    ],
    [
      'what the answer was declined with',
      { prepare: { type: 'answer.declined', cause: 'no such market' } },
      { kind: 'declined', cause: 'no such market' },
    ],
    [
      'that the store cannot be written',
      { intent: 'fails' },
      { kind: 'unavailable', reason: 'the store cannot be written' },
    ],
    ['the answer of its owner', { claim: [busy], owner: [recorded] }, answered],
    ['that it is not its to say', { claim: ['fails'] }, { kind: 'left' }],
  ];
  for (const [title, script, output] of outputs) {
    it(`puts out ${title}`, async () => {
      expect((await play(script)).output).to.deep.equal(output);
    });
  }
});
