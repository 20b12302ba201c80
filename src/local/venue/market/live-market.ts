import type { ConditionId, TokenId } from '#domain/ids';
import { DAY_MS } from '#domain/time';
import type { BookView } from './book-view.js';
import { conditionIdOf, tokenIdOf } from './deterministic-ids.js';
import type { EventSpec, MarketSpec, OutcomeIndex, Protocol } from './market-spec.js';

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

const GAME_IN_MS = 2 * 3_600_000;

/** Returns the ids of a market that is known by its slug only. */
export function idsFromSlug(slug: string, protocol: Protocol = 'v1'): MarketIds {
  return { conditionId: conditionIdOf(slug, protocol), tokenIds: [tokenIdOf(slug, 0), tokenIdOf(slug, 1)] };
}

/** Returns the payout of a market that one outcome won. */
function payoutOf(winner: OutcomeIndex): Payout {
  return winner === 0 ? [1_000_000, 0] : [0, 1_000_000];
}

/** How far a market is, as one of the venue's interfaces tells it. */
export interface Standing {
  readonly closed: boolean;
  /** '' while nobody has proposed a result. */
  readonly resolutionStatus: string;
  /** null until it is resolved. */
  readonly payout: Payout | null;
  readonly closedAtMs: number | null;
}

const UNDECIDED: Standing = { closed: false, resolutionStatus: '', payout: null, closedAtMs: null };

/** A listed market: its description, where it stands in life, and its books. */
export class LiveMarket implements Standing {
  readonly #books: MarketBooks;
  #standing = UNDECIDED;
  /** Before this moment the listing tells what it told before the market was resolved. */
  #listedAsOverMs = 0;
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
    if (spec.standing === 'proposed') this.propose();
    if (spec.standing === 'resolved') this.resolve(0, listedAtMs);
    if (spec.standing === 'settled') this.#standing = { ...decided(0, listedAtMs), closed: false };
  }

  get closed(): boolean {
    return this.#standing.closed;
  }

  get resolutionStatus(): string {
    return this.#standing.resolutionStatus;
  }

  get payout(): Payout | null {
    return this.#standing.payout;
  }

  get closedAtMs(): number | null {
    return this.#standing.closedAtMs;
  }

  /** Returns how far the listing says that the market is, which may be behind. */
  listedStanding(nowMs: number): Standing {
    return nowMs < this.#listedAsOverMs ? UNDECIDED : this.#standing;
  }

  get active(): boolean {
    return this.spec.standing !== 'placeholder';
  }

  /** Whether there is a book to show: none for placeholders, none once a resolution is proposed. */
  get hasBook(): boolean {
    return this.active && !this.closed && this.resolutionStatus === '';
  }

  /** The outcome that won; null while it is not resolved, and where both are paid half. */
  get winner(): OutcomeIndex | null {
    if (this.payout === null || this.payout[0] === this.payout[1]) return null;
    return this.payout[0] > this.payout[1] ? 0 : 1;
  }

  /** Whether it is resolved, and the listing does not say so yet. */
  isSettling(nowMs: number): boolean {
    return this.closed && nowMs < this.#listedAsOverMs;
  }

  /** Returns the book of one outcome, also if the venue would not show it any more. */
  view(outcome: OutcomeIndex): BookView {
    return this.#books.view(outcome);
  }

  outcomeOf(tokenId: string): OutcomeIndex {
    return this.ids.tokenIds[1] === tokenId ? 1 : 0;
  }

  /** Takes the book away: somebody says what the result is. */
  propose(): void {
    this.#standing = { ...this.#standing, resolutionStatus: 'proposed' };
  }

  /**
   * Closes the market: one outcome won, or both are paid half. The listing says so `listedAfterMs`
   * later.
   */
  resolve(result: OutcomeIndex | 'half', atMs: number, listedAfterMs = 0): void {
    this.#standing = decided(result, atMs);
    this.#listedAsOverMs = atMs + listedAfterMs;
  }
}

function decided(result: OutcomeIndex | 'half', closedAtMs: number): Standing {
  const payout = result === 'half' ? ([500_000, 500_000] as const) : payoutOf(result);
  return { closed: true, resolutionStatus: 'resolved', payout, closedAtMs };
}

function usualDates(spec: MarketSpec, listedAtMs: number): MarketDates {
  const endMs = spec.standing === 'resolved' || spec.standing === 'settled' ? listedAtMs : listedAtMs + 90 * DAY_MS;
  const gameStartMs = spec.sportsMarketType === undefined ? null : listedAtMs + GAME_IN_MS;
  return { startMs: listedAtMs - 30 * DAY_MS, endMs, gameStartMs };
}
