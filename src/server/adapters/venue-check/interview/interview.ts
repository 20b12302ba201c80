import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import type { Asker } from '../asker.js';
import type { TalkOptions } from '../talk.js';
import { askBooks } from './books.js';
import { askCatalogue } from './catalogue.js';
import { askChannel } from './channel.js';
import { askTrades } from './trades.js';

export interface Sockets {
  readonly channel: ConnectTextSocket;
  readonly liveFeed: ConnectTextSocket;
}

/** All questions of a check. Each is put when it is first wanted, and never twice. */
export type Interview = ReturnType<typeof openInterview>;

export function openInterview(asker: Asker, { channel, liveFeed }: Sockets, options: TalkOptions) {
  const catalogue = askCatalogue(asker);
  return {
    catalogue,
    books: askBooks(asker, catalogue, options.clock),
    channel: askChannel(asker, channel, catalogue, options),
    trades: askTrades(asker, liveFeed, catalogue, options),
    clock: options.clock,
  };
}
