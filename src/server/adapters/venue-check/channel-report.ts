import type { MarketEvent, MarketFrame } from '#domain/book/book';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import type { Market } from '#domain/market';
import { checkHash, type HashCheck } from '#wire/polymarket/check-hash';
import { marketFrameReader, PONG } from '#wire/polymarket/market-channel';
import type { RestBooks } from './rest-books.js';
import type { HeardText } from './talk.js';

/** What was said and heard on one connection of the market channel. */
export interface ChannelTalk {
  /** Those of the first subscription. */
  readonly markets: readonly Market[];
  /** Subscribed later. */
  readonly laterMarket: Market | null;
  /** Unsubscribed at the end: the one that changed most. */
  readonly endedMarket: Market;
  readonly heard: readonly HeardText[];
  /** How many texts had come when each step was over. */
  readonly marks: {
    readonly listened: number;
    readonly laterEnded: number;
    readonly silent: number;
  };
  /** How long PONG took; null: it did not come. */
  readonly pongMs: number | null;
  readonly closed: string | null;
}

/** One text of the channel as the service reads it. */
export interface ReadText extends HeardText {
  readonly frame: MarketFrame;
}

/** Reads what was heard, but for PONG, in order; `index` is that of the text among all. */
export function readTexts(heard: readonly HeardText[]): readonly (ReadText & { readonly index: number })[] {
  const read = marketFrameReader();
  return heard.flatMap(({ text, atMs }, index) =>
    text === PONG ? [] : [{ text, atMs, index, frame: read(Buffer.from(text, 'utf8')) }],
  );
}

export type EventOf<Kind extends MarketEvent['kind']> = Extract<MarketEvent, { kind: Kind }>;

/** Returns the events of one kind, each with the place of its text. */
export function eventsOf<Kind extends MarketEvent['kind']>(
  texts: readonly (ReadText & { readonly index: number })[],
  kind: Kind,
): readonly { readonly event: EventOf<Kind>; readonly index: number; readonly atMs: number }[] {
  return texts.flatMap(({ frame, index, atMs }) =>
    frame.events
      .filter((event): event is EventOf<Kind> => event.kind === kind)
      .map((event) => ({ event, index, atMs })),
  );
}

/** Returns the tokens of markets, both of each. */
export function tokensOf(markets: readonly Market[]): readonly TokenId[] {
  return markets.flatMap(({ outcomes }) => outcomes.map(({ tokenId }) => tokenId));
}

/**
 * Keeps the books of the first subscription as the service keeps them, and returns what their
 * hashes said after the last change of each moment: of several with one timestamp the venue's hash
 * means the last state.
 */
export function keptHashes({ markets, heard, marks }: ChannelTalk, rest: RestBooks): readonly HashCheck[] {
  const table = new BookTable();
  for (const market of markets) {
    for (const { tokenId } of market.outcomes) {
      const book = new OrderBook(tokenId, market.conditionId);
      // The channel leaves out what the hash covers beside the levels.
      book.hashFields = { ...book.hashFields, ...rest.fieldsOf(tokenId) };
      table.add(book);
    }
  }
  const applier = new FrameApplier(table);
  const checks = new Map<string, HashCheck>();
  for (const { frame } of readTexts(heard.slice(0, marks.listened))) {
    const changed = frame.events.some(({ kind }) => kind === 'price_change');
    for (const tokenId of applier.apply(frame, 0).touched) {
      const book = table.get(tokenId)!;
      if (changed && book.synced) checks.set(`${tokenId} ${book.timestampMs}`, checkHash(book));
    }
  }
  return [...checks.values()];
}
