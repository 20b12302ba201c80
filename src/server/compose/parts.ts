/** A piece of the service that has work of its own. What it lacks, it has no need of. */
export interface Part {
  /** Resolves when it is at work. */
  start?(): unknown;
  /** Resolves when it is at rest. Called also where it was never started. */
  stop?(): unknown;
}

/** Parts that run as one. */
export type Running = Readonly<Record<'start' | 'stop', () => Promise<void>>>;

/**
 * Returns the parts as one: started one after the other, and stopped backwards. If one fails to
 * start, those before it are stopped, and its error is passed on. One that fails to stop keeps no
 * other from being stopped; the first of such errors is passed on in the end.
 */
export function inOrder(parts: readonly Part[]): Running {
  return {
    async start() {
      for (const [index, part] of parts.entries()) {
        try {
          await part.start?.();
        } catch (error) {
          await stopBackwards(parts.slice(0, index));
          throw error;
        }
      }
    },
    async stop() {
      const [failure] = await stopBackwards(parts);
      if (failure !== undefined) throw failure.error;
    },
  };
}

async function stopBackwards(parts: readonly Part[]): Promise<readonly { readonly error: unknown }[]> {
  const failures: { readonly error: unknown }[] = [];
  for (const part of parts.toReversed()) {
    try {
      await part.stop?.();
    } catch (error) {
      failures.push({ error });
    }
  }
  return failures;
}
