import { DAY_S, isoDay } from '#domain/time';
export const HOUR_S = 3_600;

/** The past is planned in blocks of so many days; a block is the same whenever it is asked for. */
export const BLOCK_DAYS = 30;

/** Returns the number of the UTC day since 1970. */
export function dayOf(atS: number): number {
  return Math.floor(atS / DAY_S);
}

/** Returns a day as "2026-07-18". */
export function dateText(day: number): string {
  return isoDay(day * DAY_S);
}

const MONTH_DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', day: 'numeric' });

/** Returns a day as "July 18". */
export function monthDay(day: number): string {
  return MONTH_DAY.format(day * DAY_S * 1_000);
}
