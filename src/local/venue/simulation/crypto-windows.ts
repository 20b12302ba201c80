import type { ChannelFrame } from '../frames/frames.js';
import { newMarketFrame } from '../frames/listing-frames.js';
import { CRYPTO_WINDOW_S, cryptoWindowEvent, cryptoWindowStartS } from '../listings/crypto.js';
import type { VenueState } from '../market/venue-state.js';
import type { Simulation } from './simulation.js';

/** Ended windows stay listed as closed markets for a while, then make room. */
const ENDED_WINDOWS_MAX = 3;

/**
 * Follows the clock: ends the current five-minute window when its time is over and lists the next.
 */
export class CryptoWindows {
  readonly #simulation: Simulation;
  readonly #state: VenueState;
  readonly #publish: (frame: ChannelFrame) => void;
  readonly #resolve: (slug: string) => void;
  readonly #listed: { readonly slug: string; readonly startS: number }[] = [];

  constructor(
    simulation: Simulation,
    state: VenueState,
    publish: (frame: ChannelFrame) => void,
    resolve: (slug: string) => void,
  ) {
    this.#simulation = simulation;
    this.#state = state;
    this.#publish = publish;
    this.#resolve = resolve;
  }

  follow(nowMs: number): void {
    const current = this.#listed.at(-1);
    if (current !== undefined && nowMs < (current.startS + CRYPTO_WINDOW_S) * 1000) return;
    if (current !== undefined) this.#resolve(current.slug);
    const event = cryptoWindowEvent(nowMs);
    const startS = cryptoWindowStartS(nowMs);
    this.#simulation.add([event], Math.floor(nowMs / 1000) - startS);
    this.#listed.push({ slug: event.slug, startS });
    const market = this.#state.market(event.slug);
    if (market !== undefined) this.#publish(newMarketFrame(market, nowMs));
    while (this.#listed.length > ENDED_WINDOWS_MAX + 1) this.#simulation.remove(this.#listed.shift()?.slug ?? '');
  }
}
