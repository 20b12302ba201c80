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

/** Returns the ids of a market that is known by its slug only. */
export function idsFromSlug(slug: string): MarketIds {
  return { conditionId: conditionIdOf(slug), tokenIds: [tokenIdOf(slug, 0), tokenIdOf(slug, 1)] };
}

/** A listed market: its description, where it stands in life, and its books. */
export class LiveMarket {
  closed = false;
  umaResolutionStatus = '';
  winner: OutcomeIndex | null = null;
  closedAtMs: number | null = null;

  constructor(
    readonly spec: MarketSpec,
    readonly event: EventSpec,
    readonly ids: MarketIds,
    private readonly books: MarketBooks,
    readonly listedAtMs: number,
  ) {
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

  /** Returns the book of one outcome, also where the venue would not show it any more. */
  view(outcome: OutcomeIndex): BookView {
    return this.books.view(outcome);
  }

  outcomeOf(tokenId: string): OutcomeIndex {
    return this.ids.tokenIds[1] === tokenId ? 1 : 0;
  }

  resolve(winner: OutcomeIndex, atMs: number): void {
    this.closed = true;
    this.winner = winner;
    this.closedAtMs = atMs;
    this.umaResolutionStatus = 'resolved';
  }
}
