import { BLOCK_DAYS } from './calendar.js';
import { chooseEntries } from './choose-entries.js';
import { planDay } from './plan-events.js';
import { type PlannedRow, rowsOfEntry } from './plan-rows.js';
import type { PlannedMarket } from './planned-market.js';
import { PLANNED_WALLETS, VISIT_DAYS, visitorOf } from './roles.js';

/** What is listed in a block of days, and every trade in it, also those that come after the block. */
export interface PlannedBlock {
  readonly markets: readonly PlannedMarket[];
  /** In the order of time. */
  readonly rows: readonly PlannedRow[];
}

/** Returns a block of the past (days from block * BLOCK_DAYS on). It depends on seed and block alone. */
export function planBlock(seed: number, block: number): PlannedBlock {
  const firstDay = block * BLOCK_DAYS;
  const days = Array.from({ length: BLOCK_DAYS }, (_, at) => firstDay + at);
  const markets = days.flatMap((day) => planDay(seed, day)).sort((a, b) => a.startS - b.startS);
  const visitors = days.filter((day) => day % VISIT_DAYS === 0).map((day) => visitorOf(day / VISIT_DAYS));
  const rows = [...PLANNED_WALLETS, ...visitors].flatMap((planned) =>
    chooseEntries(planned, markets, seed).flatMap((entry) => rowsOfEntry(planned.wallet, entry, seed)),
  );
  return { markets, rows: rows.sort((a, b) => a.timestampS - b.timestampS) };
}
