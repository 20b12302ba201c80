import { expect } from 'chai';
import { type ActorRefFrom, createActor, setup } from 'xstate';
import { fromStep, type Step, type StepFailed, stepWith } from '#machines/step';

type Event = { readonly type: 'work.done'; readonly result: number } | StepFailed | { readonly type: 'work.dropped' };

const machine = setup({
  types: { context: {} as { readonly job: number }, input: {} as { readonly job: number }, events: {} as Event },
  actors: { work: stepWith<{ readonly job: number }>() },
}).createMachine({
  id: 'worker',
  context: ({ input }) => input,
  initial: 'WORKING',
  states: {
    WORKING: {
      invoke: { id: 'work', src: 'work', input: ({ context }) => context },
      on: { 'work.done': 'DONE', 'step.failed': 'FAILED', 'work.dropped': 'DROPPED' },
    },
    DONE: {},
    FAILED: {},
    DROPPED: {},
  },
});

describe('a step of a machine', () => {
  const start = (work: Step<{ readonly job: number }, Event>) => {
    const received: Event[] = [];
    const actor = createActor(machine.provide({ actors: { work: fromStep(work) } }), {
      input: { job: 7 },
      inspect: (inspected) => {
        if (
          inspected.type === '@xstate.event' &&
          inspected.actorRef === actor &&
          inspected.event.type !== 'xstate.init'
        )
          received.push(inspected.event as Event);
      },
    });
    actor.start();
    return { actor, received };
  };
  const left = (actor: ActorRefFrom<typeof machine>) =>
    new Promise<string>((resolve) => {
      actor.subscribe(({ value }) => value !== 'WORKING' && resolve(value));
    });

  it('sends what came of it to the machine, made from the input', async () => {
    const { actor, received } = start(async ({ job }) => ({ type: 'work.done', result: job * 2 }));
    expect(await left(actor)).to.equal('DONE');
    expect(received).to.deep.equal([{ type: 'work.done', result: 14 }]);
  });

  for (const [thrown, reason] of [
    [new Error('it broke'), 'it broke'],
    ['a word', 'a word'],
  ] as const) {
    it(`sends “${reason}” when that was thrown`, async () => {
      const { actor, received } = start(() => Promise.reject(thrown));
      expect(await left(actor)).to.equal('FAILED');
      expect(received).to.deep.equal([{ type: 'step.failed', reason }]);
    });
  }

  it('is aborted when the machine has left the state, and not heard after that', async () => {
    let end: (event: Event) => void = () => {};
    let given: AbortSignal | null = null;
    const { actor, received } = start((_, { signal }) => {
      given = signal;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    expect((given as AbortSignal | null)?.aborted).to.equal(false);
    actor.send({ type: 'work.dropped' });
    expect((given as AbortSignal | null)?.aborted).to.equal(true);
    end({ type: 'work.done', result: 1 });
    await Promise.resolve();
    expect(received).to.deep.equal([{ type: 'work.dropped' }]);
    expect(actor.getSnapshot().value).to.equal('DROPPED');
  });

  it('is aborted when the machine is stopped', () => {
    let given: AbortSignal | null = null;
    const { actor } = start((_, { signal }) => {
      given = signal;
      return new Promise(() => {});
    });
    actor.stop();
    expect((given as AbortSignal | null)?.aborted).to.equal(true);
  });

  it('finds its signal aborted also when it looks at it after that', () => {
    let given: { readonly signal: AbortSignal } | null = null;
    const { actor } = start((_, run) => {
      given = run;
      return new Promise(() => {});
    });
    actor.stop();
    expect((given as { readonly signal: AbortSignal } | null)?.signal.aborted).to.equal(true);
  });

  it('ends its machine with an error when it was not provided', () => {
    const actor = createActor(machine, { input: { job: 7 } });
    let error: unknown = null;
    actor.subscribe({ error: (thrown) => (error = thrown) });
    actor.start();
    expect(String(error)).to.equal('Error: the machine was not provided with this step');
    expect(actor.getSnapshot().status).to.equal('error');
  });
});
