import { type BookSnapshot, ONE_USD_TICKS } from '#domain/book/book';
import { TICK_SIZES } from '#domain/book/tick-sizes';
import { parsePriceTicks } from '#domain/decimal';
import type { Market } from '#domain/market';
import { parseClobBook, parseClobMarket } from '#wire/polymarket/clob';
import { readClobBooks } from '#wire/polymarket/clob-books';
import { parseClobWinner } from '#wire/polymarket/clob-winner';
import { NothingToAsk } from '../asker.js';
import type { Interview } from '../interview/interview.js';
import { UNKNOWN_TOKEN } from '../interview/strangers.js';
import { fieldsOf, orderFault, type RestBook, snapshotHash } from '../rest-books.js';
import { differing, each, holding, type Seen, shown, tally } from '../seen.js';
import { type Assumption, refusal, summaryOf } from './assumption.js';
import { skewOf } from './skew.js';

const TICKS: ReadonlySet<string> = new Set(TICK_SIZES);
const TEXT_FIELDS = ['timestamp', 'hash', 'min_order_size', 'tick_size', 'last_trade_price'];
/** A market may end, or move between two books of one answer. */
const MOVED_TOLERATED = 0.1;
/** Of our clock and the venue's, and of the way there. */
const SKEW_MS_MAX = 2_000;

/** What the service takes for granted of the CLOB by REST. */
export const BOOKS: readonly Assumption[] = [
  {
    id: 28,
    text: '`/book` is the book of its token, numbers as text',
    asked: 'CLOB `/book`',
    check: async ({ books }) => {
      const { tokenId, answer } = await books.book();
      if (parseClobBook(answer.body)?.tokenId !== tokenId) return differing(summaryOf(answer));
      const raw = fieldsOf(answer.body);
      const bad = TEXT_FIELDS.find((key) => typeof raw[key] !== 'string');
      return bad === undefined ? holding(`${Object.keys(raw).length} fields`) : differing(`${bad} ${shown(raw[bad])}`);
    },
  },
  {
    id: 29,
    text: '`/books` has a readable book of every open token',
    asked: 'CLOB `POST /books`, 40 tokens',
    check: async ({ books, catalog }) => {
      const answer = await books.books();
      const read = Array.isArray(answer.body) ? readClobBooks(answer.text, () => false) : null;
      if (read === null) return differing(summaryOf(answer));
      if (read.badCount > 0) return differing(`${read.badCount} books cannot be read`);
      const found = new Set<string>(read.answers.map(([tokenId]) => tokenId));
      const tokens = (await catalog.tradable()).flatMap(({ market }) => market.outcomes);
      return each(
        tokens,
        'open tokens',
        ({ tokenId }) => (found.has(tokenId) ? null : `no book of ${tokenId.slice(0, 8)}…`),
        MOVED_TOLERATED,
      );
    },
  },
  {
    id: 30,
    text: '`/books` leaves an unknown token out',
    asked: 'CLOB `POST /books`, 40 tokens, and a token of no market',
    check: async ({ books }) => {
      const all = (await books.restBooks()).all;
      const stranger = all.find(({ raw }) => raw.asset_id === UNKNOWN_TOKEN);
      return stranger === undefined ? holding(`${all.length} books`) : differing(shown(stranger.raw));
    },
  },
  {
    id: 31,
    text: 'bids ascend and asks descend',
    asked: 'CLOB `POST /books`, 40 tokens',
    check: async (venue) => each(await snapshots(venue), 'books', orderFault),
  },
  {
    id: 32,
    text: 'the hash of a book can be reckoned',
    asked: 'CLOB `POST /books`, 40 tokens',
    check: async (venue) =>
      each(await snapshots(venue), 'books', (book) => {
        const hash = snapshotHash(book);
        return hash !== null && hash === book.hash ? null : `${book.hash} is sent, ${hash} is reckoned`;
      }),
  },
  {
    id: 33,
    text: 'the books of a market mirror each other',
    asked: 'CLOB `POST /books`, 40 tokens',
    check: async ({ books, catalog }) => {
      const rest = await books.restBooks();
      const pairs = (await catalog.tradable()).flatMap(({ market }) => pairOf(market, (token) => rest.of(token)));
      return each(
        pairs,
        'pairs',
        ([yes, no, slug]) => (sidesOf(yes) === mirrorOf(no) ? null : `${slug} differs`),
        MOVED_TOLERATED,
      );
    },
  },
  {
    id: 34,
    text: 'ticks are 0.1, 0.01, 0.005, 0.0025, 0.001 or 0.0001',
    asked: 'CLOB `POST /books`, 40 tokens',
    check: async (venue) => {
      const ticks = (await snapshots(venue)).map(({ tickSize }) => tickSize);
      const seen = each(ticks, 'books', (tick) => (TICKS.has(tick ?? '') ? null : `tick_size ${shown(tick)}`));
      return seen.holds === 'yes' ? holding(tally(ticks.map((tick) => `of ${tick}`))) : seen;
    },
  },
  {
    id: 35,
    text: 'every price lies on the tick of its book',
    asked: 'CLOB `POST /books`, 40 tokens',
    check: async (venue) =>
      each(await snapshots(venue), 'books', ({ bids, asks, tickSize }) => {
        const step = parsePriceTicks(tickSize ?? '') ?? 0;
        const off = [...bids, ...asks].find(({ priceTicks }) => step === 0 || priceTicks % step !== 0);
        return off === undefined ? null : `${off.priceTicks / ONE_USD_TICKS} at tick ${tickSize}`;
      }),
  },
  {
    id: 36,
    text: "an unknown token is 404, in the venue's own JSON",
    asked: 'CLOB `/book`',
    check: async ({ books }) => refusal(await books.unknownBook(), 404),
  },
  {
    id: 37,
    text: 'a malformed token is 400 "Invalid token id"',
    asked: 'CLOB `/book`',
    check: async ({ books }) => refusal(await books.malformedBook(), 400, /invalid token/i),
  },
  {
    id: 38,
    text: 'more than 500 tokens at once are 400',
    asked: 'CLOB `POST /books`, 501 tokens',
    check: async ({ books }) => refusal(await books.tooManyBooks(), 400),
  },
  {
    id: 39,
    text: 'the terms of an open market are its own, and it accepts orders',
    asked: 'CLOB `/clob-markets/{condition}`',
    check: async ({ books }) =>
      each(
        await books.terms(),
        'markets',
        ({ market, answer }) => {
          const terms = parseClobMarket(answer.body);
          if (terms?.conditionId !== market.conditionId) return `${market.slug}: ${summaryOf(answer)}`;
          return terms.acceptingOrders ? null : `${market.slug} has ao ${shown(fieldsOf(answer.body).ao)}`;
        },
        MOVED_TOLERATED,
      ),
  },
  {
    id: 40,
    text: '`mts` is the tick of the book',
    asked: 'CLOB `/clob-markets/{condition}`, and `/books`',
    check: (venue) => eachOfTerms(venue, 'mts', 'tick_size'),
  },
  {
    id: 41,
    text: '`mos` is the minimum size of the book',
    asked: 'CLOB `/clob-markets/{condition}`, and `/books`',
    check: (venue) => eachOfTerms(venue, 'mos', 'min_order_size'),
  },
  {
    id: 42,
    text: "an unknown condition is 404, in the venue's own JSON",
    asked: 'CLOB `/clob-markets/{condition}`',
    check: async ({ books }) => refusal(await books.unknownTerms(), 404),
  },
  {
    id: 43,
    text: 'a market that has ended has no book: 404',
    asked: 'CLOB `/book` of a resolved market',
    check: async ({ books }) => refusal(await books.endedBook(), 404),
  },
  {
    id: 44,
    text: 'the CLOB says that a market is closed, and which token won',
    asked: 'CLOB `/markets/{condition}` of it',
    check: async ({ books }) => {
      const { condition, answer } = await books.endedMarket();
      const ended = parseClobWinner(answer.body);
      if (ended?.condition !== condition) return differing(summaryOf(answer));
      const { closed, winningTokens, isFiftyFifty } = ended;
      const seen = `closed ${closed}, winners ${winningTokens.length}, 50/50 ${isFiftyFifty}`;
      return closed && (winningTokens.length === 1 || isFiftyFifty) ? holding(seen) : differing(seen);
    },
  },
  {
    id: 45,
    text: '`/time` is in whole seconds, and our clock agrees',
    asked: 'CLOB `/time`',
    check: async (venue) => {
      const { answer } = await venue.books.time();
      if (!Number.isInteger(answer.body)) return differing(summaryOf(answer));
      const skewMs = await skewOf(venue);
      const seen = `the venue is ${Math.round(skewMs / 1_000)} s ahead`;
      return Math.abs(skewMs) <= SKEW_MS_MAX ? holding(seen) : differing(seen);
    },
  },
];

/** Those that can be read: of the others A29 tells. */
async function snapshots({ books }: Interview): Promise<readonly BookSnapshot[]> {
  const found = (await books.restBooks()).all.flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot]));
  if (found.length === 0) throw new NothingToAsk('no book that can be read');
  return found;
}

type Pair = readonly [yes: BookSnapshot, no: BookSnapshot, slug: string];

function pairOf(
  { outcomes, slug }: Market,
  bookOf: (token: Market['outcomes'][0]['tokenId']) => RestBook | null,
): Pair[] {
  const [yes, no] = outcomes.map(({ tokenId }) => bookOf(tokenId)?.snapshot ?? null);
  // Books of two moments need not be one market's.
  return yes && no && yes.timestampMs === no.timestampMs ? [[yes, no, slug]] : [];
}

function sidesOf({ bids, asks }: BookSnapshot): string {
  return JSON.stringify([sorted(bids), sorted(asks)]);
}

function mirrorOf({ bids, asks }: BookSnapshot): string {
  const mirrored = (levels: BookSnapshot['bids']) =>
    levels.map(({ priceTicks, sizeMicros }) => ({ priceTicks: ONE_USD_TICKS - priceTicks, sizeMicros }));
  return JSON.stringify([sorted(mirrored(asks)), sorted(mirrored(bids))]);
}

function sorted(levels: BookSnapshot['bids']): readonly (readonly number[])[] {
  return levels
    .toSorted((a, b) => a.priceTicks - b.priceTicks)
    .map(({ priceTicks, sizeMicros }) => [priceTicks, sizeMicros]);
}

/** Holds a number of a market's terms to that of its book. */
async function eachOfTerms({ books }: Interview, key: string, bookKey: string): Promise<Seen> {
  const rest = await books.restBooks();
  const both = (await books.terms()).flatMap(({ market, answer }) => {
    const book = rest.of(market.outcomes[0]!.tokenId);
    return book === null ? [] : [{ slug: market.slug, terms: fieldsOf(answer.body)[key], book: book.raw[bookKey] }];
  });
  return each(
    both,
    'markets',
    ({ slug, terms, book }) =>
      terms !== undefined && Number(terms) === Number(book) ? null : `${slug}: ${shown(terms)}, book ${shown(book)}`,
    MOVED_TOLERATED,
  );
}
