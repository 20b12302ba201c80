import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import { connectMarketChannel, type MarketChannelOptions } from './market-channel.js';

/** A message is one trade of about a kilobyte. */
const FRAME_BYTES_MAX = 256 * 1024;

/**
 * Returns a function that opens one connection to the venue's live data socket at each call; it is
 * an ordinary text socket, as the market channel is. What is said on it, its PING and what silence
 * means stand in streams/trade-hints.ts. Throws if the address is not ws: or wss:.
 */
export function connectRtds(url: string, options: MarketChannelOptions = {}): ConnectTextSocket {
  return connectMarketChannel(url, { frameBytesMax: FRAME_BYTES_MAX, ...options });
}
