import { expect } from 'chai';
import fc from 'fast-check';
import { from } from 'rxjs';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import type { Ladder } from '#domain/book/ladder';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { type Recording, readRecording } from '#local/venue/recording/recording';
import { applyFrames, type Frame } from '#streams/market-socket';
import { OPEN } from '#test/support/arbitrary-books';
import { capture, recordedGames } from '#test/support/captures';
import { type NaiveLevel, naiveVerdict } from '#test/support/naive-verdict';
import { checkHash } from '#wire/polymarket/check-hash';

/** A frame as it lies on disk, as far as these tests look at it. */
interface WireEvent {
  readonly event_type: string;
  readonly market: string;
  readonly asset_id?: string;
  readonly timestamp: string;
  readonly hash?: string;
  readonly price_changes?: readonly {
    readonly asset_id: string;
    readonly hash: string;
    best_bid: string;
    best_ask: string;
  }[];
}

type Sizes = ReadonlyMap<number, number>;
const sizesOf = (ladder: Ladder): Sizes => new Map([...ladder.levels()].map((l) => [l.priceTicks, l.sizeMicros]));

/** Holds the books of every token that the recording has a snapshot of. */
function tableFor(recording: Recording): BookTable {
  const table = new BookTable();
  for (const { text } of recording.frames) {
    const { event_type, asset_id, market } = JSON.parse(text) as WireEvent;
    if (event_type !== 'book' || table.get(asset_id as TokenId) !== undefined) continue;
    table.add(new OrderBook(asset_id as TokenId, market as ConditionId));
  }
  return table;
}

/**
 * Plays frames through the stream; `before` and `after` see each frame and its book at that moment.
 */
function play(
  recording: Recording,
  table: BookTable,
  see: { before?: (event: WireEvent, book: OrderBook) => void; after?: (event: WireEvent, book: OrderBook) => void },
): FrameApplier {
  const applier = new FrameApplier(table);
  let at = 0;
  const current = () => {
    const event = JSON.parse(recording.frames[at]!.text) as WireEvent;
    const tokenIds = event.price_changes?.map((change) => change.asset_id) ?? [event.asset_id!];
    return [event, tokenIds.map((id) => table.get(id as TokenId)).find((book) => book !== undefined)!] as const;
  };
  // A frame is handed on only after the one before it went all the way through.
  function* frames(): Iterable<Frame> {
    for (; at < recording.frames.length; at++) {
      see.before?.(...current());
      yield { kind: 'frame', bytes: Buffer.from(recording.frames[at]!.text), atMs: at };
    }
  }
  from(frames())
    .pipe(applyFrames(applier))
    .subscribe(() => see.after?.(...current()));
  return applier;
}

/**
 * Levels that differ beyond the run of differing ones at the top, which is what a trade took and
 * what rested after it.
 */
function differencesBeyondTop(side: 'bids' | 'asks', ours: Sizes, received: Sizes) {
  const prices = [...new Set([...ours.keys(), ...received.keys()])].sort((a, b) => (side === 'bids' ? b - a : a - b));
  const differs = (price: number) => ours.get(price) !== received.get(price);
  const top = prices.findIndex((price) => !differs(price));
  const beyond = (top === -1 ? [] : prices.slice(top)).filter(differs).length;
  return { levels: prices.length, beyond, same: !prices.some(differs) };
}

function isMirror([yes, no]: readonly OrderBook[]): boolean {
  const mirrored = (ladder: Ladder) =>
    [...ladder.levels()].map((l) => `${10_000 - l.priceTicks}x${l.sizeMicros}`).join();
  const plain = (ladder: Ladder) => [...ladder.levels()].map((l) => `${l.priceTicks}x${l.sizeMicros}`).join();
  return mirrored(yes!.bids) === plain(no!.asks) && mirrored(yes!.asks) === plain(no!.bids);
}

describe('real recordings of the market channel', () => {
  it('replays 17 baseball games to the figures that were measured on them', async function () {
    const games = recordedGames(this);
    const sum = { frames: 0, books: 0, priceChanges: 0, changes: 0, checks: 0, same: 0, levels: 0, beyond: 0 };
    const seen = { crossed: 0, instants: 0, mirrored: 0, mirroredAtEnd: 0, outOfOrder: 0, bad: 0 };
    for (const file of games) {
      const recording = await readRecording(file);
      const table = tableFor(recording);
      const books = [...table.values()];
      let lastTimestamp = '';
      let held: { bids: Sizes; asks: Sizes } | null = null;
      const applier = play(recording, table, {
        before: (event, book) => {
          if (event.timestamp !== lastTimestamp && books.every(({ synced }) => synced)) {
            seen.instants++;
            if (isMirror(books)) seen.mirrored++;
          }
          lastTimestamp = event.timestamp;
          held =
            event.event_type === 'book' && book.synced ? { bids: sizesOf(book.bids), asks: sizesOf(book.asks) } : null;
        },
        after: (event, book) => {
          sum.frames++;
          if (event.event_type === 'price_change') {
            sum.priceChanges++;
            sum.changes += event.price_changes!.length;
            if (book.crossed !== null) seen.crossed++;
            return;
          }
          sum.books++;
          if (held === null) return;
          sum.checks++;
          const bids = differencesBeyondTop('bids', held.bids, sizesOf(book.bids));
          const asks = differencesBeyondTop('asks', held.asks, sizesOf(book.asks));
          sum.levels += bids.levels + asks.levels;
          sum.beyond += bids.beyond + asks.beyond;
          if (bids.same && asks.same) sum.same++;
        },
      });
      if (isMirror(books)) seen.mirroredAtEnd++;
      seen.outOfOrder += applier.counters.outOfOrder;
      seen.bad += applier.counters.bad;
    }
    expect(games).to.have.length(17);
    expect(sum).to.include({ frames: 62_149, books: 1_848, priceChanges: 60_301, changes: 93_682, checks: 1_814 });
    expect(sum.levels).to.equal(42_676);
    expect((1 - sum.beyond / sum.levels) * 100, 'levels that agree outside the touched top, %').to.be.closeTo(
      99.52,
      0.005,
    );
    expect((sum.same / sum.checks) * 100, 'books replayed exactly, %').to.be.closeTo(0.1, 0.05);
    expect((seen.crossed / sum.priceChanges) * 100, 'crossed after a change, %').to.be.closeTo(0.67, 0.005);
    expect((seen.mirrored / seen.instants) * 100, 'instants at which NO mirrors YES, %').to.be.closeTo(99.47, 0.005);
    expect(seen).to.include({ mirroredAtEnd: 17, outOfOrder: 2, bad: 0 });
  });

  it('proves 25 of 29 books of the July 2026 session by their hash; the others are inside a batch', async function () {
    const recording = await readRecording(capture(this, 'ws-market', 'session_1785130179.2026-07-27.jsonl'));
    const table = tableFor(recording);
    const checks: { hash: string; timestamp: string; agrees: boolean; top: boolean }[] = [];
    const applier = play(recording, table, {
      after: (event, book) => {
        // The channel does not tell these two; REST does, and on all three markets they are the
        // venue's usual values.
        for (const held of table.values()) held.hashFields = { ...held.hashFields, minOrderSize: '5', negRisk: false };
        if (event.event_type === 'book') expect(checkHash(book), 'snapshot').to.equal('agrees');
        for (const change of event.price_changes ?? []) {
          const changed = table.get(change.asset_id as TokenId);
          if (changed === undefined) continue;
          const top = [changed.bids.bestTicks, changed.asks.bestTicks].map((ticks) => ticks! / 1e4);
          checks.push({
            hash: change.hash,
            timestamp: event.timestamp,
            agrees: checkHash(changed) === 'agrees',
            top: top[0] === Number(change.best_bid) && top[1] === Number(change.best_ask),
          });
        }
      },
    });
    expect(checks).to.have.length(29);
    expect(checks.filter(({ agrees }) => agrees)).to.have.length(25);
    expect(checks.filter(({ top }) => top)).to.have.length(29);
    for (const [index, { agrees, hash, timestamp }] of checks.entries()) {
      const isFinal = !checks.slice(index + 1).some((later) => later.hash === hash && later.timestamp === timestamp);
      expect(agrees, `change ${index}`).to.equal(isFinal);
    }
    expect(applier.counters).to.include({ frames: 32, bad: 0, foreign: 29 });
  });

  it('judges 1000 orders on these books as a second, naive implementation does', async function () {
    const books: OrderBook[] = [];
    for (const file of recordedGames(this)) {
      const recording = await readRecording(file);
      const table = tableFor(recording);
      play({ ...recording, frames: recording.frames.slice(0, Math.ceil(recording.frames.length / 2)) }, table, {});
      books.push(...[...table.values()].filter(({ synced }) => synced));
    }
    const plain = (ladder: Ladder): readonly NaiveLevel[] =>
      [...ladder.levels()].map((l) => [l.priceTicks / 1e4, l.sizeMicros / 1e6]);
    const verdicts = new Set<string>();
    const order = fc.record({
      book: fc.constantFrom(...books),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      usd: fc
        .oneof(fc.integer({ min: 1, max: 50_000_000 }), fc.integer({ min: 1, max: 200_000 }))
        .map((cents) => cents / 100),
      rate: fc.constantFrom(0, 0.03, 0.05, 0.07),
      exponent: fc.constantFrom(1, 1, 1, 2, 0.5),
      gameDueAgoH: fc.constantFrom(null, null, null, -3, 48, 49),
      bookAgeMs: fc.constantFrom(0, 4_321, 60_000, 60_001),
    });
    fc.assert(
      fc.property(order, ({ book, side, usd, rate, exponent, gameDueAgoH, bookAgeMs }) => {
        const fee = { rate, exponent, category: 'sports', known: true };
        const evaluatedAtMs = 1e12;
        const gameDueMs = gameDueAgoH === null ? null : evaluatedAtMs - gameDueAgoH * 3_600_000;
        const market = { fee, minOrderShares: 5, gameDueMs, status: OPEN };
        const { verdict, facts } = assess({
          side,
          usd,
          thresholds: DEFAULT_THRESHOLDS,
          market,
          book,
          bookAgeMs,
          evaluatedAtMs,
        });
        const naive = naiveVerdict({
          side,
          usd,
          rate,
          exponent,
          gameDueAgoH,
          bids: plain(book.bids),
          asks: plain(book.asks),
          ageS: bookAgeMs / 1e3,
          limits: DEFAULT_THRESHOLDS,
        });
        verdicts.add(verdict);
        expect(verdict).to.equal(naive.verdict);
        for (const [name, value] of Object.entries(naive.numbers)) {
          // Floating point may round the last shown place the other way; the safe size may differ
          // by that cent.
          const place =
            { expectedVwap: 1e-6, takerFeeUsd: 1e-5, visibleDepthUsd: 0.01, safeSizeUsd: 0.01 }[name] ?? 1e-4;
          expect(facts.numbers[name as keyof typeof facts.numbers], name).to.be.closeTo(value as number, place * 1.001);
        }
      }),
      { numRuns: 1_000 },
    );
    expect([...verdicts].sort()).to.deep.equal(['CAUTION', 'OK', 'VETO']);
  });
});
