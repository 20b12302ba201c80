import { Problem } from '#domain/errors';
import type { TokenId } from '#domain/ids';
import type { Market } from '#domain/market';
import type { Log } from '#ports/log';
import type { Stopwatch } from '#system/stopwatch';
import type { Markets } from '../orders/markets.js';

/**
 * A market is looked up anew after so long, by whoever asks next; nobody waits for it but the
 * first.
 */
const LOOK_UP_AFTER_MS = 30_000;

export interface DemoSetDeps {
  /** Slugs of markets, as the operator named them. */
  readonly slugs: readonly string[];
  readonly markets: Pick<Markets, 'resolve' | 'resolveCached'>;
  readonly stopwatch: Stopwatch;
  readonly log: Pick<Log, 'warn'>;
}

/** The markets that anybody may watch for free. */
export class DemoSet {
  readonly #deps: DemoSetDeps;
  readonly #found = new Map<string, Market>();
  /** Slugs of which the log has a line. */
  readonly #reported = new Set<string>();
  #listed: readonly Market[] = [];
  #lookUp: Promise<void> | null = null;
  #lookedUpAtMs: number | null = null;

  constructor(deps: DemoSetDeps) {
    this.#deps = deps;
  }

  /**
   * Returns those that can be found, in their order. Never rejects. The list is the same object
   * until it is looked up anew.
   */
  async list(): Promise<readonly Market[]> {
    const first = this.#refresh();
    if (this.#lookedUpAtMs === null) await first;
    return this.#listed;
  }

  /**
   * Returns the market of a token of the set, with what is known of its status by now; null for any
   * other token.
   */
  marketOf(tokenId: string): Market | null {
    void this.#refresh();
    const own = this.#listed.find(({ outcomes }) => outcomes.some((outcome) => outcome.tokenId === tokenId));
    if (own === undefined) return null;
    return this.#deps.markets.resolveCached({ token_id: tokenId })?.market ?? own;
  }

  #refresh(): Promise<void> {
    const { slugs, stopwatch } = this.#deps;
    const isDue = this.#lookedUpAtMs === null || stopwatch.elapsedMs() - this.#lookedUpAtMs > LOOK_UP_AFTER_MS;
    if (isDue && this.#lookUp === null) {
      this.#lookUp = Promise.all(slugs.map((slug) => this.#find(slug))).then(() => {
        this.#listed = slugs.map((slug) => this.#found.get(slug)).filter((market) => market !== undefined);
        this.#lookedUpAtMs = stopwatch.elapsedMs();
        this.#lookUp = null;
      });
    }
    return this.#lookUp ?? Promise.resolve();
  }

  /** A market that cannot be asked about now stays as it was; one that there is not is left out. */
  async #find(slug: string): Promise<void> {
    const { markets, log } = this.#deps;
    try {
      const market = await marketNamed(slug, markets);
      this.#found.set(slug, market);
      this.#reported.delete(slug);
    } catch (error) {
      const isGone = error instanceof Problem && error.code !== 'venue_unavailable';
      if (isGone) this.#found.delete(slug);
      if (this.#reported.has(slug)) return;
      this.#reported.add(slug);
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ slug, reason }, 'a market of DEMO_MARKETS cannot be shown');
    }
  }
}

/**
 * A market whose outcomes are names is found by any of them; an event of several markets is none.
 */
async function marketNamed(slug: string, markets: Pick<Markets, 'resolve'>): Promise<Market> {
  try {
    return (await markets.resolve({ slug })).market;
  } catch (error) {
    const [outcome] = error instanceof Problem && error.code === 'outcome_required' ? (error.candidates ?? []) : [];
    if (outcome === undefined) throw error;
    const { market } = await markets.resolve({ slug, outcome });
    if (market.slug.toLowerCase() !== slug.toLowerCase()) throw error;
    return market;
  }
}

/**
 * Returns the outcome's own token, as the id that books go by; null if the market has no such
 * token.
 */
export function tokenOf({ outcomes }: Market, tokenId: string): TokenId | null {
  return outcomes.find((outcome) => outcome.tokenId === tokenId)?.tokenId ?? null;
}
