/** Least time between two beats; where more is due, several changes fall into one beat. */
const BEAT_MS_MIN = 5;

/**
 * Calls `change` so often that each of `marketCount()` markets changes every `tickMs` on average.
 * Returns the way to stop it. Slower machines fall behind instead of piling work up.
 */
export function startPacemaker(tickMs: number, marketCount: () => number, change: () => void): () => void {
  const beatMs = Math.max(BEAT_MS_MIN, tickMs / Math.max(1, marketCount()));
  let owed = 0;
  const timer = setInterval(() => {
    owed += (marketCount() * beatMs) / tickMs;
    for (; owed >= 1; owed--) change();
  }, beatMs);
  return () => clearInterval(timer);
}
