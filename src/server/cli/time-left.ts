import type { Clock } from '#system/clock';

/** A guess after less than this says nothing. */
const ELAPSED_MS_MIN = 3_000;

/**
 * Returns what tells how long something takes yet, if it goes on as it went so far: of what part of
 * it is done, from 0 to 1; "" while nobody can know. What was done at the first call took no time.
 */
export function timeLeft(clock: Clock): (part: number) => string {
  const startedAtMs = clock.elapsedMs();
  let before: number | null = null;
  return (part) => {
    before ??= part;
    const elapsedMs = clock.elapsedMs() - startedAtMs;
    if (elapsedMs < ELAPSED_MS_MIN || !(part > before) || part >= 1) return '';
    return `about ${inWords((elapsedMs * (1 - part)) / (part - before) / 1_000)} left`;
  };
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
