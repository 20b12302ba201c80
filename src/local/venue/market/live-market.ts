import type { ConditionId, TokenId } from '#domain/ids';
import type { BookView } from './book-view.js';
import { conditionIdOf, tokenIdOf } from './deterministic-ids.js';
import type { EventSpec, MarketSpec, OutcomeIndex } from './market-spec.js';

/** The two ids a market goes by on the wire. */
export interface MarketIds {
  readonly conditionId: ConditionId;
  readonly tokenIds: readonly [TokenId, TokenId];
}

/** The books of a market's two outcomes, wherever they come from: a simulation or a recording. */
export interface MarketBooks {
  view(outcome: OutcomeIndex): BookView;
}

/**
 * When a market opened and when it was meant to end. `gameStartMs` is set on sports markets only.
 */
export interface MarketDates {
  readonly startMs: number;
  readonly endMs: number;
  readonly gameStartMs: number | null;
}

/**
 * What one share of each outcome pays, in micros of a dollar: one of them 1 000 000, or half and
 * half.
 */
export type Payout = readonly [number, number];

const DAY_MS = 86_400_000;
const GAME_IN_MS = 2 * 3_600_000;

/** Returns the ids of a market that is known by its slug only. */
export function idsFromSlug(slug: string): MarketIds {
  return { conditionId: conditionIdOf(slug), tokenIds: [tokenIdOf(slug, 0), tokenIdOf(slug, 1)] };
}

/** Returns the payout of a market that one outcome won. */
function payoutOf(winner: OutcomeIndex): Payout {
  return winner === 0 ? [1_000_000, 0] : [0, 1_000_000];
}

/** A listed market: its description, where it stands in life, and its books. */
export class LiveMarket {
  readonly #books: MarketBooks;
  closed = false;
  umaResolutionStatus = '';
  /** null until it is resolved. */
  payout: Payout | null = null;
  closedAtMs: number | null = null;
  readonly dates: MarketDates;

  constructor(
    readonly spec: MarketSpec,
    readonly event: EventSpec,
    readonly ids: MarketIds,
    books: MarketBooks,
    readonly listedAtMs: number,
    dates?: MarketDates,
  ) {
    this.#books = books;
    this.dates = dates ?? usualDates(spec, listedAtMs);
    if (spec.standing === 'proposed') this.umaResolutionStatus = 'proposed';
    if (spec.standing === 'resolved') this.resolve(0, listedAtMs);
  }

  get active(): boolean {
    return this.spec.standing !== 'placeholder';
  }

  /** Whether there is a book to show: none for placeholders, none once a resolution is proposed. */
  get hasBook(): boolean {
    return this.active && !this.closed && this.umaResolutionStatus === '';
  }

  /** The outcome that won; null while it is not resolved, and where both are paid half. */
  get winner(): OutcomeIndex | null {
    if (this.payout === null || this.payout[0] === this.payout[1]) return null;
    return this.payout[0] > this.payout[1] ? 0 : 1;
  }

  /** Returns the book of one outcome, also if the venue would not show it any more. */
  view(outcome: OutcomeIndex): BookView {
    return this.#books.view(outcome);
  }

  outcomeOf(tokenId: string): OutcomeIndex {
    return this.ids.tokenIds[1] === tokenId ? 1 : 0;
  }

  /** Closes the market: one outcome won, or both are paid half. */
  resolve(result: OutcomeIndex | 'half', atMs: number): void {
    this.closed = true;
    this.payout = result === 'half' ? [500_000, 500_000] : payoutOf(result);
    this.closedAtMs = atMs;
    this.umaResolutionStatus = 'resolved';
  }
}

function usualDates(spec: MarketSpec, listedAtMs: number): MarketDates {
  const endMs = spec.standing === 'resolved' ? listedAtMs : listedAtMs + 90 * DAY_MS;
  const gameStartMs = spec.sportsMarketType === undefined ? null : listedAtMs + GAME_IN_MS;
  return { startMs: listedAtMs - 30 * DAY_MS, endMs, gameStartMs };
}
