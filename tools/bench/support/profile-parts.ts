import type { Profiler } from 'node:inspector';

/** What a part of a call's CPU is spent in, and microseconds of it. */
export type Parts = ReadonlyMap<string, number>;

const IDLE = '(idle)';
const META: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'event loop and parser, outside of JavaScript'],
]);
const NODE = 'node: http, net, streams, timers';
const OTHERWISE = 'everything else';
const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^(lmdb|msgpackr|ordered-binary|weak-lru-cache)$/, 'LMDB, main thread'],
  [/^(express|router|parseurl|path-to-regexp|finalhandler|proxy-addr|forwarded|ipaddr\.js|qs|depd)$/, 'Express'],
  [/^zod$/, 'parameters (zod)'],
  [/^xstate$/, 'state machines (XState)'],
  [/^@bitauth\/libauth$/, 'the curve'],
  [/^(viem|@noble\/hashes|hash-wasm)$/, 'hashes (Keccak)'],
];

type Node = Profiler.ProfileNode;

/**
 * Returns where the time of a CPU profile went, without what was idle. A function of the engine or
 * of native code counts as its caller's: so a write to a socket is Node's, and one to the database
 * the database's.
 */
export function partsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Parts {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const partOfNode = new Map<number, string>();
  const partOf = (id: number): string => {
    const existing = partOfNode.get(id);
    if (existing !== undefined) return existing;
    const parent = parents.get(id);
    const own = ownPart(byId.get(id)!);
    const part = own ?? (parent === undefined ? OTHERWISE : partOf(parent));
    partOfNode.set(id, part);
    return part;
  };
  const parts = new Map<string, number>();
  samples.forEach((id, at) => {
    const part = partOf(id);
    if (part !== IDLE) parts.set(part, (parts.get(part) ?? 0) + timeDeltas[at]!);
  });
  return parts;
}

/** null: it is its caller's. */
function ownPart({ callFrame: { functionName, url } }: Node): string | null {
  // To begin and to end a profile is no part of what is profiled.
  if (functionName === IDLE || url === 'node:inspector') return IDLE;
  const meta = META.get(functionName);
  if (meta !== undefined) return meta;
  if (url.startsWith('node:')) return NODE;
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (name !== undefined) return PACKAGES.find(([names]) => names.test(name))?.[1] ?? 'other packages';
  const room = /\/dist\/(?:src\/(?:server\/|shared\/)?)?((?:services|adapters)\/[^/]+|[^/]+)\//.exec(url)?.[1];
  return room === undefined ? null : `ours: ${room}`;
}

/**
 * Returns the parts so that they add up to a total: a profile counts time on the clock, of which
 * other work may have had some.
 */
export function scaledTo(parts: Parts, total: number): Parts {
  const sum = [...parts.values()].reduce((a, b) => a + b, 0);
  return new Map([...parts].map(([name, micros]) => [name, sum === 0 ? 0 : (micros * total) / sum]));
}
