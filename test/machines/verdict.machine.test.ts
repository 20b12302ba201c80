import { expect } from 'chai';
import fc from 'fast-check';
import { createActor, createMachine, setup } from 'xstate';
import { gatherFacts } from '#domain/order/gather-facts';
import { compileClassifier } from '#machines/classifier';
import { type OrderChecked, type VerdictState, verdictMachine } from '#machines/verdict.machine';
import { arbitraryQuestion } from '#test/support/arbitrary-books';
import { PROPERTY_RUNS } from '#test/support/size';

const classify = compileClassifier<OrderChecked, VerdictState>(verdictMachine);
const SEVERITY = ['OK', 'CAUTION', 'VETO'];

describe('verdict machine and its compiled classifier', () => {
  it('agree on every input: the first compiled state is where the interpreted machine goes', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(arbitraryQuestion, (question) => {
        const event: OrderChecked = { type: 'order.checked', facts: gatherFacts(question) };
        const actor = createActor(verdictMachine).start();
        actor.send(event);
        const snapshot = actor.getSnapshot();
        const [first] = classify(event);
        expect(first?.state).to.equal(snapshot.value);
        expect(snapshot.hasTag(first!.tag)).to.equal(true);
        seen.add(String(snapshot.value));
      }),
      { numRuns: PROPERTY_RUNS },
    );
    expect(seen.size, [...seen].join(' ')).to.be.above(9);
  });

  it('names the worst reason first, so that the first tag is the verdict', () => {
    fc.assert(
      fc.property(arbitraryQuestion, (question) => {
        const found = classify({ type: 'order.checked', facts: gatherFacts(question) });
        const severities = found.map(({ tag }) => SEVERITY.indexOf(tag));
        expect(severities).to.deep.equal([...severities].sort((a, b) => b - a));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('tags every state that can be reached with one of the three verdicts', () => {
    for (const [name, state] of Object.entries(verdictMachine.states)) {
      if (name !== 'CHECKING') expect(SEVERITY, name).to.include(state.tags[0]);
    }
  });

  describe('refuses at start what it cannot compile', () => {
    const refused = (title: string, machine: Parameters<typeof compileClassifier>[0], words: RegExp) =>
      it(title, () => expect(() => compileClassifier(machine)).to.throw(words));
    const end = { type: 'final', tags: 'OK' } as const;
    const guarded = setup({ guards: { holds: () => true }, actions: { shout: () => {} } });

    refused(
      'a machine without a fall-through',
      guarded.createMachine({ initial: 'A', states: { A: { on: { e: { guard: 'holds', target: 'B' } } }, B: end } }),
      /must have no guard/,
    );
    refused(
      'an inline guard',
      createMachine({
        initial: 'A',
        states: { A: { on: { e: [{ guard: () => true, target: 'B' }, { target: 'B' }] } }, B: end },
      }),
      /must be named/,
    );
    refused(
      'an action',
      guarded.createMachine({
        initial: 'A',
        states: { A: { on: { e: [{ guard: 'holds', target: 'B', actions: 'shout' }, { target: 'B' }] } }, B: end },
      }),
      /only guards/,
    );
    refused(
      'a second event',
      createMachine({ initial: 'A', states: { A: { on: { e: 'B', f: 'B' } }, B: end } }),
      /exactly one event/,
    );
    refused(
      'a target without a tag',
      createMachine({ initial: 'A', states: { A: { on: { e: 'B' } }, B: { type: 'final' } } }),
      /one tag/,
    );
  });
});
