import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import { marketFrameReader, parseMarketFrame } from '#wire/polymarket/market-channel';
import { startFrameServer } from './frame-socket.js';
import { readGames } from './recorded-games.js';
import { openTable, walkBooks } from './support/book-walk.js';
import { atLeast, type Goal, type Section, show, table } from './support/report.js';
import { type Cost, costOf, interleave, medianRatio, medians, progress, type Variant } from './support/rounds.js';

const MARKETS = 100;
const FRAMES = 30_000;
const ROUNDS = 9;
/**
 * Rounds that do not count: a service that runs for days is not measured by what compiling its code
 * takes.
 */
const WARM_ROUNDS = 4;
const GAME_ROUNDS = 5;

const FLOOR = 'JSON.parse';
const PARSE = 'parseMarketFrame';
const SCAN = 'marketFrameReader (off the bytes)';
const APPLY = 'FrameApplier.apply (read + book)';
const WS_FLOOR = 'ws on loopback, JSON.parse';
const WS_PIPELINE = 'ws on loopback, marketSocket$ + applyFrames';

/** Measures the way from a frame of the market channel to a fresh book, in steps. */
export async function benchFrames(): Promise<Section> {
  progress('frames: walking books');
  const { snapshots, frames } = walkBooks(MARKETS, FRAMES);
  const server = await startFrameServer(MARKETS, FRAMES);
  const variants = [
    ...inMemory(frames, () => openTable(snapshots), { applied: FRAMES * 2 }),
    { name: WS_FLOOR, run: () => server.parseAll() },
    { name: WS_PIPELINE, run: () => server.applyAll(openTable(snapshots)) },
  ];
  await interleave('frames, not counted', variants, WARM_ROUNDS);
  const costs = await interleave('frames', variants, ROUNDS);
  await server.stop();
  const games = await gamesSection();
  const what = `${show(FRAMES)} price_change frames of ${sizesOf(frames)} bytes, 2 changes each, over ${snapshots.length} books; after ${WARM_ROUNDS} rounds that do not count.`;
  return {
    title: 'Market channel: frame to fresh book',
    texts: [what, costTable(costs, FRAMES), ...games],
    goals: goalsOf(costs),
  };
}

/**
 * The steps that need no socket. Every run begins with books as they were, because a frame is
 * applied once.
 */
function inMemory(frames: readonly string[], open: () => BookTable, expected: { applied: number }): Variant<Cost>[] {
  const bytes = frames.map((text) => Buffer.from(text));
  const read = marketFrameReader();
  return [
    { name: FLOOR, run: () => costOf(() => frames.forEach((text) => void JSON.parse(text))) },
    { name: PARSE, run: () => costOf(() => frames.forEach((text) => void parseMarketFrame(text))) },
    { name: SCAN, run: () => costOf(() => bytes.forEach((one) => void read(one))) },
    {
      name: APPLY,
      async run() {
        const applier = new FrameApplier(open());
        const cost = await costOf(() => bytes.forEach((one, i) => void applier.apply(read(one), i)));
        const { applied, bad } = applier.counters;
        if (applied < expected.applied || bad > 0) throw new Error(`${applied} changes applied, ${bad} bad`);
        return cost;
      },
    },
  ];
}

async function gamesSection(): Promise<string[]> {
  const games = await readGames();
  if (games === null) return ['(No recorded games on this machine.)'];
  const { names, frames, ids } = games;
  const open = () => {
    const books = new BookTable();
    for (const { conditionId, tokenIds } of ids) for (const id of tokenIds) books.add(new OrderBook(id, conditionId));
    return books;
  };
  const results = await interleave('recorded games', inMemory(frames, open, { applied: frames.length }), GAME_ROUNDS);
  const what = `${show(frames.length)} frames of ${names.length} recorded games, ${sizesOf(frames)} bytes, whole books among them.`;
  return [what, costTable(results, frames.length)];
}

type Costs = ReadonlyMap<string, readonly Cost[]>;

const cpuOf = ({ cpuMicros }: Cost) => cpuMicros;
const wallOf = ({ wallMicros }: Cost) => wallMicros;

function costTable(costs: Costs, frameCount: number): string {
  const floor = costs.get(FLOOR)!;
  const rows = [...costs].map(([name, all]) => {
    const { wallMicros, cpuMicros } = medians(all);
    const each = [wallMicros / frameCount, (frameCount / wallMicros) * 1e6, cpuMicros / frameCount];
    return [name, ...[...each, medianRatio(floor, all, wallOf), medianRatio(floor, all, cpuOf)].map(show)];
  });
  return table(['', 'µs per frame', 'frames/s', 'CPU µs', 'of JSON.parse', 'of its CPU'], rows);
}

/**
 * The CPU decides: where the machine is busy, the wall clock counts the wait for the sender's core
 * too.
 */
function goalsOf(costs: Costs): Goal[] {
  const ratioTo = (floor: string) => medianRatio(costs.get(floor)!, costs.get(WS_PIPELINE)!, cpuOf);
  const path = 'frame to fresh book, whole pipeline with ws and RxJS, of JSON.parse';
  return [
    // A socket alone costs about as much as one JSON.parse, so that twice the floor is out of
    // reach.
    { path, goal: atLeast(0.5), measured: ratioTo(FLOOR), unit: 'x' },
    {
      path: `${path} behind the same socket`,
      goal: atLeast(1),
      measured: ratioTo(WS_FLOOR),
      unit: 'x',
    },
  ];
}

function sizesOf(frames: readonly string[]): string {
  const sizes = frames.map((text) => text.length).sort((a, b) => a - b);
  return `${sizes[0]} to ${sizes.at(-1)} (median ${sizes[sizes.length >> 1]})`;
}
