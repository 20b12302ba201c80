import type { TokenId } from '#domain/ids';
import { parseJson } from '#domain/json';
import { type ChannelTalk, eventsOf, keptHashes, readTexts, tokensOf } from '../channel-report.js';
import { UNKNOWN_TOKEN } from '../interview/strangers.js';
import { PING_EVERY_MS } from '../limits.js';
import { fieldsOf, orderFault, snapshotHash } from '../rest-books.js';
import { differing, each, holding, shown, tally, unseen } from '../seen.js';
import type { Assumption } from './assumption.js';
import { skewOf } from './skew.js';

const EVENT_TYPES = new Set<unknown>([
  ...['book', 'price_change', 'last_trade_price', 'tick_size_change', 'best_bid_ask', 'new_market', 'market_resolved'],
]);
/** Around trades the venue's hash is of a moment before or after (docs/venue.md, "Book hash"). */
const HASHES_TOLERATED = 0.5;
/** The books of the last trades may not have come yet. */
const TRADES_TOLERATED = 0.2;
/** The venue announces trades half a second late. */
const TRADE_LATE_MS_MAX = 1_000;
/** What is owed for longer is a lost change (docs/venue.md, "Silent sockets"). */
const CHANGE_MS_MAX = 3_000;
/** "All assets resolved", the venue goes away, cut without a word, restarts, or we are too slow. */
const CLOSE_CODES = new Set(['1000', '1001', '1006', '1012', '1013']);

/** What the service takes for granted of the market channel. */
export const CHANNEL: readonly Assumption[] = [
  {
    id: 46,
    text: 'a first subscription brings a book of each token',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) => {
      const talk = await channel.talk();
      const found = new Set(firstBooks(talk).map(({ tokenId }) => tokenId));
      return each(tokensOf(talk.markets), 'tokens', (token) =>
        found.has(token) ? null : `no book of ${short(token)}`,
      );
    },
  },
  {
    id: 47,
    text: 'first books carry tick_size and last_trade_price',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) =>
      each(firstBooks(await channel.talk()), 'first books', ({ tokenId, tickSize, lastTradePrice }) => {
        if (tickSize === null) return `${short(tokenId)} has no tick_size`;
        return lastTradePrice === null ? `${short(tokenId)} has no last_trade_price` : null;
      }),
  },
  {
    id: 48,
    text: "the hash of a first book can be reckoned with REST's min_order_size and neg_risk",
    asked: 'channel, 18 tokens, and `/books`',
    check: async ({ channel, books }) => {
      const rest = await books.restBooks();
      return each(firstBooks(await channel.talk()), 'first books', (book) => {
        const hash = snapshotHash(book, rest.fieldsOf(book.tokenId));
        return hash !== null && hash === book.hash ? null : `${book.hash} is sent, ${hash} is reckoned`;
      });
    },
  },
  {
    id: 49,
    text: 'in books of the channel bids ascend and asks descend',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) => each(booksOf(await channel.talk()), 'books', orderFault),
  },
  {
    id: 50,
    text: 'PING gets PONG, within 15 s',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) => {
      const { pongMs } = await channel.talk();
      return pongMs === null ? differing('no PONG') : holding(`after ${Math.round(pongMs)} ms`);
    },
  },
  {
    id: 51,
    text: 'an unknown token brings nothing, and ends nothing',
    asked: 'channel, 18 tokens, a token of no market among them',
    check: async ({ channel }) => {
      const { heard, closed } = await channel.talk();
      if (closed !== null) return differing(`the socket was ${closed}`);
      const named = heard.find(({ text }) => text.includes(UNKNOWN_TOKEN));
      return named === undefined ? holding(`${heard.length} texts, none of it`) : differing(shown(named.text));
    },
  },
  {
    id: 52,
    text: 'every text can be read',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) =>
      each(readTexts((await channel.talk()).heard), 'texts', ({ frame, text }) =>
        frame.badCount === 0 ? null : shown(text),
      ),
  },
  {
    id: 53,
    text: 'the types of events are known',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) => {
      // Lines in words are no events: what of them cannot be read, A52 tells.
      const types = readTexts((await channel.talk()).heard).flatMap(({ text }) => {
        const raw = parseJson(text);
        if (raw === undefined) return [];
        return (Array.isArray(raw) ? raw : [raw]).map((one) => fieldsOf(one).event_type);
      });
      const seen = each(types, 'events', (type) => (EVENT_TYPES.has(type) ? null : shown(type)));
      return seen.holds === 'yes' ? holding(tally(types.map(String))) : seen;
    },
  },
  {
    id: 54,
    text: 'a change names both tokens of its market, each with a hash',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) =>
      each(eventsOf(readTexts((await channel.talk()).heard), 'price_change'), 'changes', ({ event: { changes } }) => {
        const tokens = new Set(changes.map(({ tokenId }) => tokenId));
        if (changes.some(({ hash }) => hash === null)) return 'no hash';
        return tokens.size === 2 ? null : `${tokens.size} tokens`;
      }),
  },
  {
    id: 55,
    text: 'the hash of a change is that of the whole book after it',
    asked: 'channel, 18 tokens, and `/books`',
    check: async ({ channel, books }) => {
      const checks = keptHashes(await channel.talk(), await books.restBooks());
      return each(
        checks.filter((one) => one !== 'unknown'),
        'changed books',
        (one) => (one === 'agrees' ? null : 'another hash'),
        HASHES_TOLERATED,
      );
    },
  },
  {
    id: 56,
    text: 'with a trade come the books of both tokens',
    asked: 'channel, 18 tokens',
    check: async ({ channel }) => {
      const talk = await channel.talk();
      const texts = readTexts(talk.heard.slice(0, talk.marks.listened));
      const books = eventsOf(texts, 'book').map(({ event }) => event.snapshot);
      return each(
        eventsOf(texts, 'last_trade'),
        'trades',
        ({ event: { tokenId, timestampMs } }) => {
          const own = talk.markets.find(({ outcomes }) => outcomes.some((one) => one.tokenId === tokenId));
          const lacking = tokensOf(own === undefined ? [] : [own]).find(
            (token) => !books.some((book) => book.tokenId === token && isOfTrade(book.timestampMs, timestampMs)),
          );
          return lacking === undefined ? null : `no book of ${short(lacking)} with it`;
        },
        TRADES_TOLERATED,
      );
    },
  },
  {
    id: 57,
    text: 'a change comes within 3 s',
    asked: 'channel, 18 tokens, and `/time`',
    check: async (venue) => {
      const { heard } = await venue.channel.talk();
      const skewMs = await skewOf(venue);
      const delays = eventsOf(readTexts(heard), 'price_change')
        .flatMap(({ event, atMs }) => (event.timestampMs === null ? [] : [atMs + skewMs - event.timestampMs]))
        .toSorted((a, b) => a - b);
      const median = delays[Math.floor(delays.length / 2)];
      if (median === undefined) return unseen('no changes');
      const seen = `half of ${delays.length} within ${Math.max(0, Math.round(median))} ms`;
      return median <= CHANGE_MS_MAX ? holding(seen) : differing(seen);
    },
  },
  {
    id: 58,
    text: 'a later subscription brings its books',
    asked: 'channel, `operation: subscribe`',
    check: async ({ channel }) => {
      const { laterMarket, heard, marks } = await channel.talk();
      if (laterMarket === null) return unseen('one market alone');
      const books = eventsOf(readTexts(heard.slice(marks.listened, marks.laterEnded)), 'book');
      const found = new Set(books.map(({ event }) => event.snapshot.tokenId));
      return each(tokensOf([laterMarket]), 'tokens', (token) =>
        found.has(token) ? null : `no book of ${short(token)}`,
      );
    },
  },
  {
    id: 59,
    text: 'an ended subscription brings nothing more',
    asked: 'channel, `operation: unsubscribe`',
    check: async ({ channel }) => {
      const { endedMarket, heard, marks, closed } = await channel.talk();
      if (closed !== null) return unseen('the socket was closed before');
      const tokens = tokensOf([endedMarket]);
      const [before, after] = [heard.slice(0, marks.listened), heard.slice(marks.silent)].map(
        (texts) => texts.filter(({ text }) => isOfMarket(text, tokens)).length,
      );
      if (before === 1) return unseen('no changes of any market before');
      const seen = `${before} texts before, ${after} after`;
      return after === 0 ? holding(seen) : differing(seen);
    },
  },
  {
    id: 60,
    text: 'a socket that says nothing for 9 s stays open',
    asked: 'channel, without PING',
    check: async ({ channel }) => {
      const { closed } = await channel.silent();
      return closed === null ? holding(`open after ${PING_EVERY_MS / 1_000} s`) : differing(closed);
    },
  },
  {
    id: 61,
    text: 'the venue closes with 1000, 1001, 1006, 1012 or 1013',
    asked: 'all sockets, if it closes one',
    check: async ({ channel, trades }) => {
      const talks = [await channel.talk(), await channel.silent(), await trades.liveFeed()];
      const closings = talks.map(({ closed }) => closed).filter((closed) => closed !== null);
      if (closings.length === 0) return unseen('it closed none');
      return each(closings, 'closings', (reason) =>
        CLOSE_CODES.has(/^closed \((\d+)/.exec(reason)?.[1] ?? '1006') ? null : reason,
      );
    },
  },
];

function firstBooks({ heard, marks, markets }: ChannelTalk) {
  const tokens = new Set<string>(tokensOf(markets));
  const first = new Map<string, ReturnType<typeof booksOf>[number]>();
  for (const book of booksOf({ heard: heard.slice(0, marks.listened) })) {
    if (tokens.has(book.tokenId) && !first.has(book.tokenId)) first.set(book.tokenId, book);
  }
  return [...first.values()];
}

/** A trade is announced after its books, and with a later time. */
function isOfTrade(bookMs: number | null, tradeMs: number | null): boolean {
  return bookMs === null || tradeMs === null || bookMs >= tradeMs - TRADE_LATE_MS_MAX;
}

function booksOf({ heard }: Pick<ChannelTalk, 'heard'>) {
  return eventsOf(readTexts(heard), 'book').map(({ event }) => event.snapshot);
}

/** What comes for everybody, such as new_market, has no asset_id. */
function isOfMarket(text: string, tokens: readonly TokenId[]): boolean {
  return tokens.some((token) => text.includes(`"asset_id":"${token}"`));
}

function short(token: string): string {
  return `${token.slice(0, 8)}…`;
}
