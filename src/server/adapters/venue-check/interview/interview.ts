import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import type { Asker } from '../asker.js';
import type { TalkOptions } from '../talk.js';
import { askBooks } from './books.js';
import { askCatalog } from './catalog.js';
import { askChannel } from './channel.js';
import { askTrades } from './trades.js';

export interface Sockets {
  readonly channel: ConnectTextSocket;
  readonly liveFeed: ConnectTextSocket;
}

/** All questions of a check. Each is put when it is first wanted, and never twice. */
export type Interview = ReturnType<typeof openInterview>;

/** Returns all that assumptions can ask the venue. */
export function openInterview(asker: Asker, { channel, liveFeed }: Sockets, options: TalkOptions) {
  const catalog = askCatalog(asker);
  return {
    catalog,
    books: askBooks(asker, catalog, options.clock),
    channel: askChannel(asker, channel, catalog, options),
    trades: askTrades(asker, liveFeed, catalog, options),
    clock: options.clock,
  };
}
