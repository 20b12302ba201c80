import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { type AnyStateMachine, StateMachine } from 'xstate';
import { readSources } from '#test/support/source-tree';

const FILES = readdirSync(new URL('../../machines', import.meta.url))
  .filter((file) => file.endsWith('.machine.js'))
  .toSorted();

/** Returns the machine that the file exports, or makes: what its steps do does not matter here. */
async function machineOf(file: string): Promise<AnyStateMachine> {
  const exported: Readonly<Record<string, unknown>> = await import(`../../machines/${file}`);
  const values = Object.entries(exported).map(([name, value]) =>
    name.endsWith('MachineWith') && typeof value === 'function' ? value({}) : value,
  );
  const found = values.find((value) => value instanceof StateMachine);
  if (found === undefined) throw new Error(`${file} exports no machine`);
  return found;
}

interface Found {
  readonly where: string;
  /** "guard" or "action". */
  readonly kind: string;
  readonly value: unknown;
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
const recordOf = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;

/** Returns the guards and actions of a state's configuration and of all states inside it. */
function partsOf(config: unknown, where: string): readonly Found[] {
  const state = recordOf(config);
  const actions = (value: unknown, at: string) =>
    listOf(value).map((one) => ({ where: at, kind: 'action', value: one }));
  const transitions = (value: unknown, at: string): readonly Found[] =>
    listOf(value).flatMap((one) => {
      const { guard, actions: done } = recordOf(typeof one === 'object' ? one : {});
      return [...(guard === undefined ? [] : [{ where: at, kind: 'guard', value: guard }]), ...actions(done, at)];
    });
  const byEvent = (value: unknown) =>
    Object.entries(recordOf(value)).flatMap(([event, one]) => transitions(one, `${where} on ${event}`));
  return [
    ...actions(state.entry, `${where} entry`),
    ...actions(state.exit, `${where} exit`),
    ...transitions(state.always, `${where} always`),
    ...byEvent(state.on),
    ...byEvent(state.after),
    ...listOf(state.invoke).flatMap((invoked) => {
      const { onDone, onError, onSnapshot } = recordOf(invoked);
      return [onDone, onError, onSnapshot].flatMap((one) => transitions(one, `${where} invoke`));
    }),
    ...Object.entries(recordOf(state.states)).flatMap(([name, inner]) => partsOf(inner, `${where}.${name}`)),
  ];
}

const isNamed = (value: unknown) => typeof value === 'string' || typeof recordOf(value).type === 'string';

describe('the definition of', () => {
  for (const file of FILES) {
    const name = file.replace('.machine.js', '');

    it(`the ${name} machine names every guard and action in setup()`, async () => {
      const machine = await machineOf(file);
      const parts = partsOf(machine.config, machine.id);
      const inline = parts.filter(({ value }) => typeof value === 'function' || !isNamed(value));
      expect(inline.map(({ where, kind }) => `${where}: an inline ${kind}`)).to.deep.equal([]);
    });

    it(`the ${name} machine casts no event`, () => {
      const [source] = readSources(['machines']).filter(({ path }) => path === `machines/${name}.machine.ts`);
      const lines = (source?.text ?? '').split('\n');
      expect(lines.length).to.be.above(1);
      const casts = lines.flatMap((line, at) =>
        /\bevent(\.\w+)*\)? as (?!const\b)/.test(line) ? [`line ${at + 1}: ${line.trim()}`] : [],
      );
      expect(casts).to.deep.equal([]);
    });
  }
});
