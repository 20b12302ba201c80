import type { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import type { OrderBook } from '#domain/book/order-book';
import { assess } from '#judge/assess';
import type { PriceChangeFrame } from '#local/venue/frames/frames';
import { priceText, sizeText } from '#local/venue/market/book-view';
import { between, chance, pick, seededRandom } from '#local/venue/market/seeded-random';
import { TOKENS_PER_SOCKET } from '#services/books/feed';
import type { Random } from '#system/random';
import { marketFrameReader, parseMarketFrame } from '#wire/polymarket/market-channel';
import { openTable, randomSize, SEED } from './support/book-walk.js';
import { atMost, type Goal, show, table } from './support/report.js';
import { interleave, median, progress, steadyMicros, type Variant } from './support/rounds.js';
import { ordersOn, snapshotsOf } from './support/sample-orders.js';

const COUNTS = [100, 10_000, 50_000] as const;
/** Random books that one repetition visits. A verdict takes longer than a frame and needs fewer. */
const FRAMES = 20_000;
const ORDERS = 4_000;
const ROUNDS = 5;
/** How traffic falls on many books: the 1,000 largest markets have 92 % of the venue's volume. */
const BUSY = { books: 2_000, part: 0.92 } as const;

const WORKS = ['frame to book', 'frame to book, 92 % on 2,000 books', 'update alone', 'assess'] as const;
type Work = (typeof WORKS)[number];

/**
 * Measures one frame, one update and one verdict on a random book among few, many and very many.
 */
export async function growth(): Promise<{ readonly texts: readonly string[]; readonly goals: readonly Goal[] }> {
  const variants = COUNTS.flatMap(variantsAmong);
  const results = await interleave('growth', variants, ROUNDS);
  const micros = (work: Work, count: number) => median(results.get(nameOf(work, count))!);
  const growthOf = (work: Work) => micros(work, COUNTS.at(-1)!) / micros(work, COUNTS[0]);
  const rows = WORKS.map((work) => [work, ...COUNTS.map((count) => show(micros(work, count))), show(growthOf(work))]);
  const head = ['CPU µs each', ...COUNTS.map((count) => `${show(count)} books`), 'growth'];
  const goals: Goal[] = (['frame to book', 'assess'] as const).map((work) => ({
    path: `${work}: ${show(COUNTS.at(-1)!)} books against ${COUNTS[0]}`,
    goal: atMost(1.3),
    measured: growthOf(work),
    unit: 'x',
  }));
  const fullest = COUNTS.at(-1)!;
  goals.push({
    path: `frame to book among ${show(fullest)} books`,
    goal: atMost(5),
    measured: micros('frame to book', fullest),
    unit: 'µs',
  });
  const what =
    'One frame of one change, one update and one verdict on a book picked at random: the worst case for caches.';
  return { texts: [what, table(head, rows)], goals };
}

const nameOf = (work: Work, count: number) => `${work} among ${count}`;

function variantsAmong(count: number): Variant<number>[] {
  progress(`growth: ${count} books`);
  const random = seededRandom(SEED + count);
  const table = openTable(snapshotsOf(count, random));
  const books = [...table.values()];
  const applier = new FrameApplier(table);
  const frames = changesOf(random, () => pick(random, books as [OrderBook]));
  const busy = books.slice(0, BUSY.books) as [OrderBook];
  const skewed = changesOf(random, () => pick(random, chance(random, BUSY.part) ? busy : (books as [OrderBook])));
  const events = frames.map((half) => half.map(({ text }) => parseMarketFrame(text).events[0]!));
  const arriving = arrivingOn(books);
  const apply = ({ read, bytes }: Arriving) => applier.apply(read(bytes), 0);
  return [
    visiting(nameOf('frame to book', count), frames.map(arriving), apply),
    visiting(nameOf('frame to book, 92 % on 2,000 books', count), skewed.map(arriving), apply),
    visiting(nameOf('update alone', count), events, (event) => applyOne(table, event)),
    visiting(nameOf('assess', count), [ordersOn(books, ORDERS, random)], assess),
  ];
}

interface Frame {
  readonly book: OrderBook;
  readonly text: string;
}

/** The bytes of a frame, and what reads those of its socket. */
interface Arriving {
  readonly read: ReturnType<typeof marketFrameReader>;
  readonly bytes: Buffer;
}

/**
 * Frames as the service gets them: each socket carries so many books and has a reader of its own.
 */
function arrivingOn(books: readonly OrderBook[]): (frames: readonly Frame[]) => Arriving[] {
  const sockets = Array.from({ length: Math.ceil(books.length / TOKENS_PER_SOCKET) }, () => marketFrameReader());
  const readers = new Map(books.map((book, i) => [book, sockets[Math.floor(i / TOKENS_PER_SOCKET)]!]));
  return (frames) => frames.map(({ book, text }) => ({ read: readers.get(book)!, bytes: Buffer.from(text) }));
}

/** Two lists of frames that take turns, so that no change finds its work already done. */
function changesOf(random: Random, nextBook: () => OrderBook): Frame[][] {
  const next = () => {
    const book = nextBook();
    return { book, text: changeText(book, random) };
  };
  return [0, 1].map(() => Array.from({ length: FRAMES }, next));
}

function visiting<T>(name: string, lists: readonly (readonly T[])[], work: (item: T) => unknown): Variant<number> {
  const visits = lists[0]!.length;
  const run = () => steadyMicros(visits, (repetition) => lists[repetition % lists.length]!.forEach(work));
  return { name, run };
}

type Event = ReturnType<typeof parseMarketFrame>['events'][number];

/** What a frame does once it is parsed: find the book, change it, confirm it. */
function applyOne(books: BookTable, event: Event): void {
  if (event.kind !== 'price_change' || event.timestampMs === null) throw new Error(`a ${event.kind} is not a change`);
  for (const change of event.changes) {
    const book = books.get(change.tokenId)!;
    if (book.applyChange(change, event.timestampMs) === 'applied') book.confirm(event.timestampMs);
  }
}

/** A frame with one change of one of the best ten levels, or of a price just behind them. */
function changeText(book: OrderBook, random: Random): string {
  const isBuy = chance(random, 0.5);
  const side = isBuy ? book.bids : book.asks;
  const priceTicks = side.ticksAt(between(random, 0, 9)) + (chance(random, 0.2) ? (isBuy ? -1 : 1) : 0);
  const sizeMicros = chance(random, 0.1) ? 0 : randomSize(random);
  const frame: PriceChangeFrame = {
    market: book.conditionId,
    price_changes: [
      {
        asset_id: book.tokenId,
        price: priceText(priceTicks),
        size: sizeText(sizeMicros),
        side: isBuy ? 'BUY' : 'SELL',
        hash: Buffer.from(random.bytes(20)).toString('hex'),
        best_bid: priceText(book.bids.bestTicks!),
        best_ask: priceText(book.asks.bestTicks!),
      },
    ],
    timestamp: String(book.timestampMs),
    event_type: 'price_change',
  };
  return JSON.stringify(frame);
}
