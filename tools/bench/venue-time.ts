/**
 * Lets this process measure how long it waits for the venue: every `fetch` is timed to the end of
 * its body. Returns the milliseconds during which at least one was under way since it was asked
 * last.
 */
export function timeVenue(): () => number {
  const { fetch } = globalThis;
  let inFlight = 0;
  let sinceMs = 0;
  let waitedMs = 0;
  globalThis.fetch = async (...args) => {
    if (inFlight++ === 0) sinceMs = performance.now();
    try {
      const response = await fetch(...args);
      const { status, headers } = response;
      return new Response(await response.arrayBuffer(), { status, headers });
    } finally {
      if (--inFlight === 0) waitedMs += performance.now() - sinceMs;
    }
  };
  return () => {
    const waited = waitedMs;
    waitedMs = 0;
    return waited;
  };
}
