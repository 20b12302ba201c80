import { OutsideError } from '#domain/errors';
import type { Tape } from '#ports/tape';

/**
 * Returns a tape that is opened when it is first asked for something: its engine takes half a
 * second to load, and a service that judges orders should not wait for it. Where opening fails,
 * each call rejects with the reason, and the next one tries again.
 */
export function lazyTape(open: () => Promise<Tape>): Tape {
  let opened: Promise<Tape> | null = null;
  let closed = false;

  function tape(): Promise<Tape> {
    if (closed) return Promise.reject(new OutsideError('tape', 'it is closed', { failure: 'retryable' }));
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  return {
    addFills: async (...given) => (await tape()).addFills(...given),
    addRows: async (...given) => (await tape()).addRows(...given),
    importCsv: async (...given) => (await tape()).importCsv(...given),
    importedSpans: async () => (await tape()).importedSpans(),
    importHistory: async (...given) => (await tape()).importHistory(...given),
    compact: async (...given) => (await tape()).compact(...given),
    fillsOf: async (...given) => (await tape()).fillsOf(...given),
    marketsOf: async (...given) => (await tape()).marketsOf(...given),
    namesOf: async (...given) => (await tape()).namesOf(...given),
    async *names() {
      yield* (await tape()).names();
    },
    unknownConditions: async (...given) => (await tape()).unknownConditions(...given),
    unresolvedConditions: async (...given) => (await tape()).unresolvedConditions(...given),
    async *rateAll(...given) {
      yield* (await tape()).rateAll(...given);
    },
    async *outcomes(...given) {
      yield* (await tape()).outcomes(...given);
    },
    progressOf: async (...given) => (await tape()).progressOf(...given),
    saveProgress: async (...given) => (await tape()).saveProgress(...given),
    status: async () => (await tape()).status(),
    verify: async (...given) => (await tape()).verify(...given),
    async close() {
      closed = true;
      // Never opened, or never to be opened: nothing is there to close.
      await opened?.then(
        (open) => open.close(),
        () => undefined,
      );
    },
  };
}
