import { transition } from 'xstate';
import { tuneEngine } from '#compose/tune-engine';
import type { OrderBook } from '#domain/book/order-book';
import { gatherFacts, type OrderQuestion } from '#domain/order/gather-facts';
import type { OrderFacts } from '#domain/order/order-facts';
import { assess } from '#judge/assess';
import { seededRandom } from '#local/venue/market/seeded-random';
import { compileClassifier } from '#machines/classifier';
import {
  type OrderChecked,
  type VerdictState,
  verdictDefinition,
  verdictGuards,
  verdictMachine,
} from '#machines/verdict.machine';
import { openTable, SEED } from './support/book-walk.js';
import { atMost, type Section, show, table } from './support/report.js';
import { interleave, median, steadyMicros, type Variant } from './support/rounds.js';
import { ordersOn, snapshotsOf } from './support/sample-orders.js';

/** More than the caches near a core hold, as books that are asked about are. */
const BOOKS = 2_000;
const ORDERS = 2_000;
/** Facts are decided on right after they were gathered, so these stay few enough to be at hand. */
const FACTS = 200;
const ROUNDS = 9;

const WALK_FLOOR = 'walk in plain numbers, nothing else';
const AFTER_CHANGE = 'assess after a change of the book';
const CHECKS_FLOOR = 'the same predicates in a plain loop';

/** Measures what a verdict costs once the book is at hand. */
export async function benchVerdict(): Promise<Section> {
  tuneEngine();
  const random = seededRandom(SEED);
  const books = [...openTable(snapshotsOf(BOOKS, random)).values()];
  const orders = ordersOn(books, ORDERS, random);
  const walks = await interleave('verdict', arithmetic(orders), ROUNDS);
  const decisions = await interleave('classifier', deciding(orders.slice(0, FACTS).map(gatherFacts)), ROUNDS);
  return {
    title: 'Verdict: pure arithmetic on a book of 40 levels a side',
    texts: [costTable('x the plain walk', walks), costTable('x the loop', decisions)],
    goals: [
      {
        path: 'assess, after a change of the book',
        goal: atMost(2.5),
        measured: median(walks.get(AFTER_CHANGE)!),
        unit: 'µs',
      },
    ],
  };
}

/** Returns a table of the variants; the first is the floor. */
function costTable(ratio: string, results: ReadonlyMap<string, readonly number[]>): string {
  const micros = [...results].map(([name, values]) => [name, median(values)] as const);
  const rows = micros.map(([name, value]) => [name, show(value), show(value / micros[0]![1])]);
  return table(['', 'CPU µs each', ratio], rows);
}

function arithmetic(orders: readonly OrderQuestion[]): Variant<number>[] {
  const plain = orders.map(plainSide);
  return [
    each(WALK_FLOOR, plain, ({ prices, sizes, usd }) => walkPlain(prices, sizes, usd)),
    each('gatherFacts', orders, gatherFacts),
    each('assess (facts, classifier, reasons)', orders, assess),
    each(AFTER_CHANGE, orders, (order, i) => assess(changed(order, i))),
    each('JSON.stringify of its numbers', orders.map(gatherFacts), ({ numbers }) => JSON.stringify(numbers)),
  ];
}

function deciding(facts: readonly OrderFacts[]): Variant<number>[] {
  const predicates = Object.values(verdictGuards);
  const classify = compileClassifier<OrderChecked, VerdictState>(verdictDefinition, verdictGuards);
  const checking = verdictMachine.resolveState({ value: 'CHECKING' });
  const event = (one: OrderFacts): OrderChecked => ({ type: 'order.checked', facts: one });
  return [
    each(CHECKS_FLOOR, facts, (one) => predicates.filter((holds) => holds({ event: event(one) }))),
    each('compiled classifier', facts, (one) => classify(event(one))),
    each('the machine interpreted (XState transition)', facts, (one) =>
      transition(verdictMachine, checking, event(one)),
    ),
  ];
}

/** Returns a variant that does the work for each item; its result is µs per item. */
function each<T>(name: string, items: readonly T[], work: (item: T, index: number) => unknown): Variant<number> {
  let stored: unknown;
  const all = () => {
    for (let i = 0; i < items.length; i++) stored = work(items[i]!, i);
    return void stored;
  };
  return { name, run: () => steadyMicros(items.length, all) };
}

/** A real book changes between two requests, and then its depth has to be summed anew. */
function changed(order: OrderQuestion, index: number): OrderQuestion {
  const book = order.book as OrderBook;
  const side = order.side === 'BUY' ? book.asks : book.bids;
  side.set(side.ticksAt(0), side.sizeAt(0) + (index % 2 === 0 ? 10_000 : -10_000) || 10_000);
  return order;
}

function plainSide({ book, side, usd }: OrderQuestion) {
  const levels = [...(side === 'BUY' ? book.asks : book.bids).levels()].reverse();
  return { usd, prices: levels.map((l) => l.priceTicks / 1e4), sizes: levels.map((l) => l.sizeMicros / 1e6) };
}

/**
 * The least that any answer needs: shares and average price of the order, and the depth of the
 * side.
 */
function walkPlain(prices: readonly number[], sizes: readonly number[], usd: number): number {
  let depth = 0;
  let shares = 0;
  let rest = usd;
  for (let i = 0; i < prices.length; i++) {
    const level = prices[i]! * sizes[i]!;
    const taken = level < rest ? level : rest;
    shares += taken / prices[i]!;
    rest -= taken;
    depth += level;
  }
  return shares === 0 ? depth : (usd - rest) / shares + depth;
}
