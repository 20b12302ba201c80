/**
 * Does the job so often, never twice at the same time. Returns what ends it. What fails is logged
 * and tried again.
 */
export function repeat(intervalMs: number, job: () => Promise<unknown>, failed: (error: unknown) => void): () => void {
  let isRunning = false;
  const once = async () => {
    if (isRunning) return;
    isRunning = true;
    await job().catch(failed);
    isRunning = false;
  };
  const timer = setInterval(() => void once(), intervalMs);
  return () => clearInterval(timer);
}
