import type { ChannelFrame } from '../frames/frames.js';
import { newMarketFrame } from '../frames/listing-frames.js';
import { CRYPTO_WINDOW_S, cryptoWindowEvent, cryptoWindowStartS } from '../listings/crypto.js';
import type { LiveMarket } from '../market/live-market.js';
import type { VenueState } from '../market/venue-state.js';
import type { Simulation } from './simulation.js';

/** Ended windows stay listed as closed markets for a while, then make room. */
const ENDED_WINDOWS_MAX = 3;

/**
 * Returns what follows the clock: ends the current five-minute window when its time is over and
 * lists the next.
 */
export function followCryptoWindows(
  simulation: Simulation,
  state: VenueState,
  publish: (frame: ChannelFrame) => void,
  settle: (market: LiveMarket) => void,
): (nowMs: number) => void {
  const listed: { readonly slug: string; readonly startS: number }[] = [];
  return (nowMs) => {
    const current = listed.at(-1);
    if (current !== undefined && nowMs < (current.startS + CRYPTO_WINDOW_S) * 1000) return;
    const ended = current === undefined ? undefined : state.market(current.slug);
    if (ended !== undefined) settle(ended);
    const event = cryptoWindowEvent(nowMs);
    const startS = cryptoWindowStartS(nowMs);
    simulation.add([event], Math.floor(nowMs / 1000) - startS);
    listed.push({ slug: event.slug, startS });
    const market = state.market(event.slug);
    if (market !== undefined) publish(newMarketFrame(market, nowMs));
    while (listed.length > ENDED_WINDOWS_MAX + 1) simulation.remove(listed.shift()?.slug ?? '');
  };
}
