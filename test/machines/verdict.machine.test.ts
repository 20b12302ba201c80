import { expect } from 'chai';
import fc from 'fast-check';
import { createActor } from 'xstate';
import { gatherFacts } from '#domain/order/gather-facts';
import { compileClassifier, type Decision } from '#machines/classifier';
import {
  type OrderChecked,
  type VerdictState,
  verdictDefinition,
  verdictGuards,
  verdictMachine,
} from '#machines/verdict.machine';
import { arbitraryQuestion } from '#test/support/arbitrary-books';
import { COVERING_RUNS, PROPERTY_RUNS } from '#test/support/size';

const classify = compileClassifier<OrderChecked, VerdictState>(verdictDefinition, verdictGuards);
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
      { numRuns: COVERING_RUNS },
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
    const end = { type: 'final', tags: 'OK' };
    const holds = { guard: 'holds', target: 'B' };
    const otherwise = { target: 'B' };
    const requested = (choices: readonly object[], target: object = end) => ({ A: { on: { e: choices } }, B: target });
    const refused = (title: string, states: object, words: RegExp) =>
      it(title, () => {
        // XState takes more than these types say.
        const machine = { id: 'machine', initial: 'A', states } as unknown as Decision;
        expect(() => compileClassifier(machine, { holds: () => true })).to.throw(words);
      });

    refused('a machine without a fall-through', requested([holds]), /must have no guard/);
    refused('an inline guard', requested([{ guard: () => true, target: 'B' }, otherwise]), /must have a name/);
    refused(
      'a guard that nobody wrote',
      requested([{ guard: 'forgotten', target: 'B' }, otherwise]),
      /must have a name/,
    );
    refused('an action', requested([{ ...holds, actions: 'shout' }, otherwise]), /only guards/);
    refused('an action of a state', requested([otherwise], { ...end, entry: 'shout' }), /only guards/);
    refused('a second event', { A: { on: { e: [otherwise], f: [otherwise] } }, B: end }, /exactly one event/);
    refused('a target without a tag', requested([otherwise], { type: 'final' }), /one tag/);
    refused('a target that is not there', requested([{ target: 'C' }]), /one tag/);
  });
});
