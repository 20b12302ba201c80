import type { Clock } from '#system/clock';
import { idsFromSlug, LiveMarket } from '../market/live-market.js';
import type { EventSpec } from '../market/market-spec.js';
import type { Tape } from '../market/tape.js';
import { VenueState } from '../market/venue-state.js';
import type { VenueWallet } from '../market/wallets.js';
import { BLOCK_DAYS, dayOf } from './calendar.js';
import { type PlannedBlock, planBlock } from './plan-block.js';
import type { PlannedRow } from './plan-rows.js';
import { plannedBooks } from './planned-books.js';
import type { PlannedMarket } from './planned-market.js';

/** The past reaches at least so many days back: more than the 90 of a rating. */
const HISTORY_DAYS = 120;

export interface HistoryOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly tape: Tape;
  /** As whom a wallet trades; absent: as itself. */
  readonly walletOf?: ((wallet: VenueWallet) => VenueWallet) | undefined;
}

/**
 * The planned past of the venue: a few hundred settled markets and everyone's trades in them. It is
 * a function of seed and time, block by block, so that a restart, today or next week, finds the
 * same past; and it goes on: what is planned for later happens when its time comes. Nothing is
 * planned before it is asked for.
 */
export class VenueHistory {
  readonly #options: HistoryOptions;
  /** What was listed up to now, settled or not. */
  readonly state = new VenueState();
  readonly #lives = new Map<PlannedMarket, LiveMarket>();
  #listings: readonly PlannedMarket[] = [];
  #rows: readonly PlannedRow[] = [];
  #nextRow = 0;
  #nextListing = 0;
  #nextBlock: number | null = null;
  #happenedS = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** Makes the past, on the first call, and lets happen what is due by now. */
  ensure(): void {
    const nowS = Math.floor(this.#options.clock.nowMs() / 1_000);
    if (nowS === this.#happenedS) return;
    this.#happenedS = nowS;
    const loading = this.#nextBlock === null;
    if (this.#nextBlock === null) this.#nextBlock = Math.floor((this.#today() - HISTORY_DAYS) / BLOCK_DAYS);
    while (this.#nextBlock <= Math.floor(this.#today() / BLOCK_DAYS))
      this.#addBlock(planBlock(this.#options.seed, this.#nextBlock++));
    this.#happen(nowS, !loading);
  }

  /** Lets happen what is due by now, if anyone has asked for the past at all. */
  follow(): void {
    if (this.#nextBlock !== null) this.ensure();
  }

  #today(): number {
    return dayOf(this.#options.clock.nowMs() / 1_000);
  }

  #addBlock({ markets, rows }: PlannedBlock): void {
    this.#listings = [...this.#listings.slice(this.#nextListing), ...markets].sort((a, b) => a.startS - b.startS);
    this.#rows = [...this.#rows.slice(this.#nextRow), ...rows].sort((a, b) => a.timestampS - b.timestampS);
    this.#nextListing = 0;
    this.#nextRow = 0;
  }

  #happen(nowS: number, due: boolean): void {
    this.#listUntil(nowS);
    const from = this.#nextRow;
    while ((this.#rows[this.#nextRow]?.timestampS ?? Number.POSITIVE_INFINITY) <= nowS) this.#nextRow++;
    const { walletOf = (wallet) => wallet } = this.#options;
    const rows = this.#rows
      .slice(from, this.#nextRow)
      .map((row) => ({ ...row, wallet: walletOf(row.wallet), market: this.#liveOf(row.market) }));
    if (rows.length > 0) this.#options.tape.addPast(rows, due);
    this.#settleUntil(nowS);
  }

  #listUntil(nowS: number): void {
    const byEvent = new Map<EventSpec, LiveMarket[]>();
    for (; (this.#listings[this.#nextListing]?.startS ?? Number.POSITIVE_INFINITY) <= nowS; this.#nextListing++) {
      const planned = this.#listings[this.#nextListing] as PlannedMarket;
      const live = this.#liveOf(planned);
      byEvent.set(planned.event, [...(byEvent.get(planned.event) ?? []), live]);
    }
    for (const [spec, markets] of byEvent) this.state.list({ spec, markets });
  }

  #settleUntil(nowS: number): void {
    for (const [planned, live] of this.#lives) {
      if (live.closed || planned.closeS > nowS) continue;
      if (planned.resolvedS <= nowS) live.resolve(planned.result, planned.resolvedS * 1_000);
      else live.propose();
    }
  }

  #liveOf(planned: PlannedMarket): LiveMarket {
    const existing = this.#lives.get(planned);
    if (existing !== undefined) return existing;
    const { spec, event, dates, startS } = planned;
    const ids = idsFromSlug(spec.slug, spec.protocol);
    const live = new LiveMarket(
      spec,
      event,
      ids,
      plannedBooks(planned, ids, this.#options.clock),
      startS * 1_000,
      dates,
    );
    this.#lives.set(planned, live);
    return live;
  }
}
