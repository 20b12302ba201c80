import { DAY_S } from '#domain/time';
import { parseVenueTimeS } from './venue-time.js';

/** The longest games that the venue lists as one market get an end date of so many days later. */
const LONGEST_GAME_DAYS = 7;

/**
 * Returns when a game was to be over at the latest, in milliseconds: at its end date, or at its
 * start if that is later (the venue gives most games one moment for both); null if it has no start
 * and is no game. What cannot be read is as if it were not there.
 */
export function gameDueMs(gameStartTime: unknown, endDate: unknown): number | null {
  const startS = timeS(gameStartTime);
  if (startS === null) return null;
  const endS = timeS(endDate) ?? startS + LONGEST_GAME_DAYS * DAY_S;
  return Math.max(startS, endS) * 1e3;
}

function timeS(given: unknown): number | null {
  return typeof given === 'string' ? parseVenueTimeS(given) : null;
}
