import type { BookSnapshot } from '#domain/book/book';
import type { BookTable } from '#domain/book/book-table';
import { seededRandom } from '#local/venue/market/seeded-random';
import { growth } from './growth.js';
import { openTable, SEED } from './support/book-walk.js';
import { atMost, type Goal, type Section, show, table } from './support/report.js';
import { progress } from './support/rounds.js';
import { snapshotsOf } from './support/sample-orders.js';

const BOOKS = 10_000;
const PLAIN = 'four plain arrays of 40 numbers';
const OURS = 'OrderBook in a BookTable, ids and all';

/** Measures what a book weighs, and whether many books make the work on one of them dearer. */
export async function benchMemory(): Promise<Section> {
  if (globalThis.gc === undefined)
    throw new Error('memory is measured after a collection: start node with --expose-gc');
  progress(`memory: ${BOOKS} books`);
  const bytes = new Map([
    [PLAIN, bytesEach((snapshots) => [...snapshots].map(plainArrays))],
    [OURS, bytesEach(openTable)],
  ]);
  const rows = [...bytes].map(([name, each]) => [name, show(each / 1e3), show(each / bytes.get(PLAIN)!)]);
  const grown = await growth();
  return {
    title: 'Memory and growth',
    texts: [
      `${show(BOOKS)} books of 40 levels a side in steps of 0.0001, one market each; heap and external memory after a collection.`,
      table(['', 'kB per book', 'x the arrays'], rows),
      ...grown.texts,
    ],
    goals: [weightGoal(bytes.get(OURS)!), ...grown.goals],
  };
}

function weightGoal(bytes: number): Goal {
  const path = 'memory per hot book, all included';
  return { path, goal: atMost(8), measured: bytes / 1e3, unit: 'kB' };
}

/**
 * Builds the books, and returns by how much the memory of this process has grown, divided by their
 * number.
 */
function bytesEach(build: (snapshots: Iterable<BookSnapshot>) => BookTable | unknown[]): number {
  const before = usedBytes();
  const held = build(snapshotsOf(BOOKS, seededRandom(SEED)));
  const grown = usedBytes() - before;
  const count = 'size' in held ? held.size : held.length;
  if (count !== BOOKS) throw new Error(`${count} books were built, not ${BOOKS}`);
  return grown / count;
}

function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function plainArrays({ bids, asks }: BookSnapshot): unknown {
  const sides = [bids, asks].map((levels) => [levels.map((l) => l.priceTicks), levels.map((l) => l.sizeMicros)]);
  return sides.flat();
}
