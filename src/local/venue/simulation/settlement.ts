import type { Clock } from '#system/clock';
import type { ChannelFrame } from '../frames/frames.js';
import { marketResolvedFrame } from '../frames/listing-frames.js';
import type { LiveMarket } from '../market/live-market.js';
import { between, chance, seededRandom, seedFor } from '../market/seeded-random.js';

/** How far the listing was seen to be behind a settlement. */
const LISTED_AFTER_MS = [51_000, 180_000] as const;
/** How many settlements are announced on the channel. */
const ANNOUNCED_SHARE = 0.8;
const EVEN_TICKS = 5_000;

export interface SettlementOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly publish: (frame: ChannelFrame) => void;
  /** Closes the sockets all of whose tokens are resolved. */
  readonly closeSockets: () => void;
  /** Forgets what the listing has kept of a market's prices. */
  readonly forgetPrices: (slug: string) => void;
}

/** Ends markets: the first outcome wins if its price is above 0.5. */
export class Settlement {
  readonly #options: SettlementOptions;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** Resolves a market at once everywhere, with a word on the channel. */
  resolve(market: LiveMarket): void {
    this.#decide(market, 0, true);
  }

  /**
   * Settles a market in the order that was seen: its book is empty, the channel says nothing or,
   * four times in five, `market_resolved`, sockets of it alone are closed, and the listing follows
   * in 51 to 180 s.
   */
  settle(market: LiveMarket, mayBeAnnounced = true): void {
    const dice = seededRandom(seedFor(this.#options.seed, `settle:${market.spec.slug}`));
    const listedAfterMs = between(dice, ...LISTED_AFTER_MS);
    this.#decide(market, listedAfterMs, mayBeAnnounced && chance(dice, ANNOUNCED_SHARE));
    this.#options.closeSockets();
  }

  #decide(market: LiveMarket, listedAfterMs: number, announced: boolean): void {
    if (market.closed) return;
    const bidTicks = market.view(0).bidsAscending.at(-1)?.priceTicks ?? 0;
    const nowMs = this.#options.clock.nowMs();
    const winner = bidTicks >= EVEN_TICKS ? 0 : 1;
    market.resolve(winner, nowMs, listedAfterMs);
    this.#options.forgetPrices(market.spec.slug);
    if (announced) this.#options.publish(marketResolvedFrame(market, winner, nowMs));
  }
}
