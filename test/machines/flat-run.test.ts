import { expect } from 'chai';
import fc from 'fast-check';
import { type AnyStateMachine, and, assign, createActor, type EventObject, setup } from 'xstate';
import type { PaymentKey } from '#domain/payment/payment';
import { compileFlat } from '#machines/flat-machine';
import { FlatRun } from '#machines/flat-run';
import { type PaymentMachine, paymentMachineWith } from '#machines/payment.machine';
import type { PaymentEvent, PaymentSteps } from '#machines/payment-events';
import { fromStep } from '#machines/step';

const KEY = 'eip155:8453:0x1:0x2:0x3' as PaymentKey;
const TRANSACTION = `0x${'ab'.repeat(32)}`;
const PLACE = { transaction: TRANSACTION, blockNumber: 7, logIndex: 2 };
const ANSWERED = {
  kind: 'answered',
  body: '{}',
  transaction: TRANSACTION,
  replayed: false,
  secret: null,
  settledAtMs: 1,
} as const;

/** Whatever can happen to a payment, in as many kinds as the machine can tell apart. */
const EVENTS: readonly PaymentEvent[] = [
  { type: 'client.waiting' },
  { type: 'clients.gone' },
  { type: 'payment.claimed', epoch: 1 },
  { type: 'payment.claimed', epoch: 2 },
  { type: 'payment.taken', epoch: 3 },
  { type: 'payment.busy' },
  { type: 'payment.lost' },
  { type: 'owner.gone' },
  { type: 'claim.released', end: { kind: 'refused', reason: 'released' } },
  { type: 'payment.prepared', answer: '{"ok":true}', wasPreempted: false },
  { type: 'payment.prepared', answer: '', wasPreempted: true },
  { type: 'payment.refused', reason: 'no' },
  { type: 'payment.unavailable', reason: 'later' },
  { type: 'answer.declined', cause: 'free' },
  { type: 'intent.recorded' },
  { type: 'attempt.settled', transaction: TRANSACTION, facilitator: 'first' },
  { type: 'attempt.rejected', reason: 'rejected' },
  { type: 'attempt.not_sent', reason: 'not sent' },
  { type: 'attempt.unknown', reason: 'time-out', transaction: null, isPending: false },
  { type: 'attempt.unknown', reason: 'settlement_pending', transaction: TRANSACTION, isPending: true },
  { type: 'chain.paid', ...PLACE },
  { type: 'chain.unused', chainTimeS: 10 },
  { type: 'chain.unused', chainTimeS: 95 },
  { type: 'chain.never', reason: 'expired' },
  { type: 'chain.unknown', reason: 'away' },
  { type: 'proof.seen', ...PLACE },
  { type: 'proof.refuted', reason: 'no transfer' },
  { type: 'proof.unknown', reason: 'no receipt' },
  { type: 'proof.required' },
  { type: 'transfer.taken', reason: 'taken' },
  { type: 'pause.ended' },
  { type: 'settlement.recorded', answered: ANSWERED },
  { type: 'failure.recorded', reason: 'failed' },
  { type: 'step.failed', reason: 'fault' },
];

/** Events that this state knows come more often: a walk of any others stays where it is. */
const arbitraryMove = fc.record({
  /** In the place of what the state knows. */
  event: fc.option(fc.constantFrom(...EVENTS), { freq: 8 }),
  chosen: fc.nat(),
  from: fc.constantFrom('step', 'step', 'step', 'step', 'late step', 'outside'),
});

const arbitraryInput = fc.record({
  key: fc.constant(KEY),
  validBeforeS: fc.constant(100),
  epoch: fc.constantFrom(0, 1, 2),
  restored: fc.boolean(),
  refusal: fc.constantFrom(null, 'refused before'),
  waitsForProof: fc.boolean(),
});

interface Begun {
  readonly name: string;
  readonly input: unknown;
  readonly run: { readonly signal: AbortSignal };
  readonly tell: (event: PaymentEvent) => void;
}

let heard: (begun: Begun) => void = () => {};

/** Steps that are told by the test what they came to, at once. */
const names = Object.keys(paymentMachineWith({} as never).implementations.actors);
const step = (name: string) => (input: unknown, run: Begun['run']) => ({
  // biome-ignore lint/suspicious/noThenProperty: it stands for a promise that is told at once.
  then: (tell: Begun['tell']) => heard({ name, input, run, tell }),
});
const machine = paymentMachineWith(
  Object.fromEntries(names.map((name) => [name, step(name)])) as unknown as PaymentSteps,
);
const flatMachine = compileFlat(machine);

interface Walked {
  /** Steps that begin from now on are those of this walk. */
  begin(): void;
  readonly begun: readonly Begun[];
  readonly seen: unknown[];
  send(event: PaymentEvent): void;
}

type Input = Parameters<ReturnType<typeof compileFlat<PaymentMachine>>['contextOf']>[0];

function walkedByXState(input: Input): Walked & { state(): string } {
  const [begun, seen]: [Begun[], unknown[]] = [[], []];
  const actor = createActor(machine, { input });
  actor.subscribe({
    next: ({ context, output }) => seen.push([context, output]),
    error: (error) => seen.push(String(error)),
  });
  const begin = () => {
    heard = (one) => void begun.push(one);
  };
  begin();
  actor.start();
  return { begin, begun, seen, send: (event) => actor.send(event), state: () => String(actor.getSnapshot().value) };
}

function walkedFlat(input: Input, arrived: string[]): Walked {
  const [begun, seen]: [Begun[], unknown[]] = [[], []];
  const run = new FlatRun(flatMachine, input, {
    changed: (context, output) => seen.push([context, output]),
    broke: (error) => seen.push(String(error)),
    arrived: (state) => arrived.push(state),
  });
  const begin = () => {
    heard = (one) => void begun.push(one);
  };
  begin();
  run.start();
  return { begin, begun, seen, send: (event) => run.send(event) };
}

const shown = ({ begun, seen }: Walked) => ({
  begun: begun.slice(-2).map(({ name, input, run }) => [name, input, run.signal.aborted]),
  count: [begun.length, seen.length],
  seen: seen.at(-1),
});

/** Both ways to walk, which have to come to the same at every move. */
function walkBoth(input: Input) {
  const arrived: string[] = [];
  const xstate = walkedByXState(input);
  const flat = walkedFlat(input, arrived);
  const compare = () => {
    expect(shown(flat)).to.deep.equal(shown(xstate));
    expect(arrived.at(-1)).to.equal(xstate.state());
  };
  compare();
  return {
    state: xstate.state,
    /** The same event for both, from the same sender. */
    move(event: PaymentEvent, from: string): void {
      for (const { begin, begun, send } of [xstate, flat]) {
        begin();
        if (from === 'outside') send(event);
        else begun.at(from === 'step' ? -1 : -2)?.tell(event);
      }
      compare();
    },
  };
}

describe('a flat run', () => {
  it('comes to what an actor of XState comes to, by every event in every state', () => {
    const input = { key: KEY, validBeforeS: 100, epoch: 0, restored: false, refusal: null, waitsForProof: false };
    for (const first of [input, { ...input, waitsForProof: true }, { ...input, restored: true, epoch: 2 }]) {
      const ways = new Map<string, readonly PaymentEvent[]>([[walkBoth(first).state(), []]]);
      // What is found on the way is walked from in its turn.
      for (const way of ways.values()) {
        for (const event of EVENTS) {
          const both = walkBoth(first);
          for (const one of [...way, event]) both.move(one, 'step');
          if (!ways.has(both.state())) ways.set(both.state(), [...way, event]);
        }
      }
      expect([...ways.keys()]).to.include.members(first.waitsForProof ? ['PROVING'] : ['CONFIRMING', 'SETTLED']);
    }
  });

  it('comes to it on any walk, whoever sends what', () => {
    const types = (state: string) => [...(machine.root.states[state]?.transitions.keys() ?? [])];
    fc.assert(
      fc.property(arbitraryInput, fc.array(arbitraryMove, { maxLength: 25 }), (input, moves) => {
        const both = walkBoth(input);
        for (const { event, chosen, from } of moves) {
          const known = EVENTS.filter(({ type }) => types(both.state()).includes(type));
          const taken = event ?? known[chosen % Math.max(1, known.length)];
          if (taken !== undefined) both.move(taken, from);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a flat machine of another form', () => {
  const machines: readonly (readonly [what: string, config: object, events: readonly string[]])[] = [
    [
      'that leads straight back to where it was',
      { initial: 'A', states: { A: { invoke: { src: 'work' }, on: { go: 'B' } }, B: { always: 'A' } } },
      ['go', 'go'],
    ],
    [
      'that leads to where it is from anywhere',
      { initial: 'A', on: { again: '.A' }, states: { A: { invoke: { src: 'work' }, on: { go: 'B' } }, B: {} } },
      ['again', 'go', 'again'],
    ],
    [
      'that looks where to go after whatever it hears',
      { initial: 'A', states: { A: { always: { guard: 'isHeard', target: 'B' } }, B: { invoke: { src: 'work' } } } },
      ['noise'],
    ],
  ];

  /** The states it came to, and how often a step began, told by whoever walks it. */
  const told = () => {
    const seen: string[] = [];
    let isHeard = false;
    const work = fromStep(() => {
      seen.push('a step begins');
      return new Promise<EventObject>(() => {});
    });
    const { createMachine } = setup({ actors: { work }, guards: { isHeard: () => isHeard } });
    const hear = () => {
      isHeard = true;
    };
    return { seen, createMachine, hear };
  };

  for (const [what, config, events] of machines) {
    it(`is walked as by an actor of XState: one ${what}`, () => {
      const [ours, theirs] = [told(), told()];
      const run = new FlatRun(
        compileFlat(ours.createMachine(config as never) as unknown as AnyStateMachine),
        {},
        {
          changed: () => {},
          broke: (error) => ours.seen.push(String(error)),
          arrived: (state) => ours.seen.push(state),
        },
      );
      const actor = createActor(theirs.createMachine(config as never));
      const note = () => theirs.seen.push(String(actor.getSnapshot().value));
      run.start();
      actor.start();
      for (const type of events) {
        ours.hear();
        theirs.hear();
        run.send({ type } as never);
        actor.send({ type } as never);
      }
      note();
      expect(ours.seen.at(-1) === 'a step begins' ? ours.seen.at(-2) : ours.seen.at(-1)).to.equal(theirs.seen.at(-1));
      const steps = (seen: readonly string[]) => seen.filter((each) => each === 'a step begins').length;
      expect(steps(ours.seen)).to.equal(steps(theirs.seen));
      run.stop();
      actor.stop();
    });
  }

  it('leaves a step that stops the run as it begins', () => {
    let signal: AbortSignal | undefined;
    const work = fromStep((_: unknown, run) => {
      ({ signal } = run);
      flat.stop();
      return new Promise<EventObject>(() => {});
    });
    const { createMachine } = setup({ actors: { work } });
    const machine = createMachine({ initial: 'A', states: { A: { invoke: { src: 'work' } } } } as never);
    const changes: unknown[] = [];
    const flat = new FlatRun(
      compileFlat(machine as unknown as AnyStateMachine),
      {},
      {
        changed: (context) => changes.push(context),
        broke: (error) => changes.push(error),
      },
    );
    flat.start();
    expect(signal?.aborted).to.equal(true);
    expect(changes).to.deep.equal([]);
  });
});

describe('a machine that is not flat', () => {
  const never = fromStep(() => new Promise<EventObject>(() => {}));
  const { createMachine } = setup({
    actors: { work: never, other: never },
    guards: { yes: () => true, both: and(['yes', 'yes']) },
    actions: { note: assign({}), shout: () => {} },
  });

  const refused: readonly (readonly [what: string, states: object])[] = [
    ['a state in a state', { A: { initial: 'B', states: { B: {} } } }],
    ['a state beside a state', { A: { type: 'parallel', states: { B: {} } } }],
    ['a timer', { A: { after: { 1000: 'B' } }, B: {} }],
    ['an action that assigns nothing', { A: { entry: 'shout' } }],
    ['an action at the exit', { A: { exit: 'note' } }],
    ['a guard without a name', { A: { on: { go: { guard: () => true, target: 'B' } } }, B: {} }],
    ['a guard made of guards', { A: { on: { go: { guard: 'both', target: 'B' } } }, B: {} }],
    ['an event of any name', { A: { on: { '*': 'B' } }, B: {} }],
    ['two steps at once', { A: { invoke: [{ src: 'work' }, { src: 'other' }] } }],
    ['a step where it cannot stay', { A: { invoke: { src: 'work' }, always: { guard: 'yes', target: 'B' } }, B: {} }],
    ['a step that ends', { A: { invoke: { src: 'work', onDone: 'B' } }, B: {} }],
    ['a state that is entered again', { A: { on: { go: { target: 'A', reenter: true } } } }],
    ['a way that leads nowhere, for ever', { A: { always: { guard: 'yes', actions: 'note' } } }],
  ];

  it('is refused with an end of which nothing is said', () => {
    const odd = createMachine({ id: 'odd', initial: 'A', states: { A: { type: 'final' } } } as never);
    expect(() => compileFlat(odd as unknown as AnyStateMachine)).to.throw(/^odd\.root/);
  });

  it('is refused with actions on its way to the first state', () => {
    const odd = createMachine({ id: 'odd', initial: { target: 'A', actions: 'note' }, states: { A: {} } } as never);
    expect(() => compileFlat(odd as unknown as AnyStateMachine)).to.throw(/^odd\.root/);
  });

  for (const [what, states] of refused) {
    it(`is refused with ${what}`, () => {
      const odd = createMachine({ id: 'odd', initial: 'A', states } as never);
      expect(() => compileFlat(odd as unknown as AnyStateMachine)).to.throw(/^odd\./);
    });
  }
});
