import type { MarketEvent } from '#domain/book/book';
import { parseJson } from '#domain/json';
import type { Market } from '#domain/market';
import { marketFrameReader, PING, PONG, subscribeMessage, unsubscribeMessage } from '#wire/polymarket/market-channel';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import type { Asker } from '../asker.js';
import { type ChannelTalk, tokensOf } from '../channel-report.js';
import {
  FIRST_BOOKS_MS,
  GRACE_MS,
  LISTEN_MS,
  MARKETS_FOLLOWED,
  PING_EVERY_MS,
  PONG_MS_MAX,
  SILENCE_MS,
} from '../limits.js';
import { Talk, type TalkOptions } from '../talk.js';
import type { askCatalog } from './catalog.js';
import { once } from './once.js';
import { UNKNOWN_TOKEN } from './strangers.js';

/** Changes that are enough to tell how the venue tells of them. */
const CHANGES_WANTED = 40;
/** Settled trades that are enough. */
const TRADES_WANTED = 3;

/** A socket that is opened, subscribes, and says nothing more. */
export interface SilentSocket {
  readonly closed: string | null;
}

/** What is said on the market channel. */
export function askChannel(
  asker: Asker,
  connect: ConnectTextSocket,
  catalog: ReturnType<typeof askCatalog>,
  options: TalkOptions,
) {
  const open = async () => {
    await asker.turn();
    return Talk.open(connect, options);
  };
  return {
    talk: once(async (): Promise<ChannelTalk> => {
      const listed = (await catalog.tradable()).slice(0, MARKETS_FOLLOWED).map(({ market }) => market);
      const talk = await open();
      const report = await converse(talk, listed, options);
      talk.close();
      asker.samples.keep('channel', { asked: 'channel, all that was heard' }, textsAlone(report));
      return report;
    }),
    silent: once(async (): Promise<SilentSocket> => {
      const { market } = (await catalog.tradable())[0]!;
      const talk = await open();
      talk.send(subscribeMessage(tokensOf([market]), true));
      await talk.until(() => false, PING_EVERY_MS);
      const { closed } = talk;
      talk.close();
      return { closed };
    }),
  };
}

/**
 * Subscribes to all markets but the last, listens, subscribes to that one as well, and ends the
 * subscription of the one that changed most.
 */
async function converse(talk: Talk, listed: ChannelTalk['markets'], { clock }: TalkOptions): Promise<ChannelTalk> {
  const [markets, laterMarket] = listed.length > 1 ? [listed.slice(0, -1), listed.at(-1)!] : [listed, null];
  const ear = new Ear(talk);
  talk.send(subscribeMessage([...tokensOf(markets), UNKNOWN_TOKEN], true));
  await talk.until(() => ear.hasBooks(tokensOf(markets), 0), FIRST_BOOKS_MS);

  const pingedAtMs = clock.elapsedMs();
  const isAnswered = await pingPong(talk);
  const pongMs = isAnswered ? clock.elapsedMs() - pingedAtMs : null;
  await talk.untilWith(PING, () => ear.hasHeardEnough(), LISTEN_MS);
  const listened = talk.heard.length;

  if (laterMarket !== null) {
    talk.send(subscribeMessage(tokensOf([laterMarket]), false));
    await talk.until(() => ear.hasBooks(tokensOf([laterMarket]), listened), FIRST_BOOKS_MS);
  }
  const laterEnded = talk.heard.length;

  const endedMarket = markets.toSorted((a, b) => ear.changesOf(b) - ear.changesOf(a))[0]!;
  talk.send(unsubscribeMessage(tokensOf([endedMarket])));
  await pingPong(talk);
  await talk.until(() => false, GRACE_MS);
  const silent = talk.heard.length;
  talk.send(PING);
  await talk.until(() => false, SILENCE_MS);
  const { heard, closed } = talk;
  const marks = { listened, laterEnded, silent };
  return { markets, laterMarket, endedMarket, heard: [...heard], marks, pongMs, closed };
}

function pingPong(talk: Talk): Promise<boolean> {
  const before = talk.heard.length;
  talk.send(PING);
  return talk.until(() => talk.heard.slice(before).some(({ text }) => text === PONG), PONG_MS_MAX);
}

/** Reads each text once, as it comes: a busy socket brings a hundred in a second. */
class Ear {
  readonly #talk: Talk;
  readonly #read = marketFrameReader();
  readonly #bookAt = new Map<string, number>();
  readonly #changesOf = new Map<string, number>();
  #next = 0;
  #changes = 0;
  /** Trades since the last book, and those before it. */
  #trades = 0;
  #settledTrades = 0;

  constructor(talk: Talk) {
    this.#talk = talk;
  }

  hasBooks(tokens: readonly string[], from: number): boolean {
    this.#listen();
    return tokens.every((token) => (this.#bookAt.get(token) ?? -1) >= from);
  }

  /** Changes of a market so far. */
  changesOf({ outcomes }: Market): number {
    this.#listen();
    return outcomes.reduce((sum, { tokenId }) => sum + (this.#changesOf.get(tokenId) ?? 0), 0);
  }

  hasHeardEnough(): boolean {
    this.#listen();
    return this.#changes >= CHANGES_WANTED && this.#settledTrades >= TRADES_WANTED;
  }

  #listen(): void {
    const { heard } = this.#talk;
    for (; this.#next < heard.length; this.#next++) {
      const { text } = heard[this.#next]!;
      if (text === PONG) continue;
      for (const event of this.#read(Buffer.from(text, 'utf8')).events) this.#count(event);
    }
  }

  #countChange({ changes }: Extract<MarketEvent, { kind: 'price_change' }>): void {
    this.#changes++;
    for (const { tokenId } of changes) this.#changesOf.set(tokenId, (this.#changesOf.get(tokenId) ?? 0) + 1);
  }

  /** A trade is announced in several texts, of which the last is a book. */
  #count(event: MarketEvent): void {
    if (event.kind === 'price_change') this.#countChange(event);
    if (event.kind === 'last_trade') this.#trades++;
    if (event.kind !== 'book') return;
    this.#bookAt.set(event.snapshot.tokenId, this.#next);
    this.#settledTrades += this.#trades;
    this.#trades = 0;
  }
}

/** What was heard, in the form of an answer: each text as the JSON that it is. */
function textsAlone({ heard }: ChannelTalk): unknown {
  return { body: heard.map(({ text }) => parseJson(text) ?? text) };
}
