import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '#domain/ids';
import type { ChainReader } from '#ports/settlement';
import type { Stopwatch } from '#system/stopwatch';
import { createPace } from './pace.js';

export interface CodeLimits {
  /** Addresses whose answer is kept, the least recently asked about dropped first. */
  readonly codeAddressesMax: number;
  /** A wallet is seldom taken down again; where one was, a facilitator still says no. */
  readonly codeTtlMs: number;
  /** Short, because a wallet may be deployed just before it pays. */
  readonly noCodeTtlMs: number;
  /** Addresses asked about at once, and in one second: anybody can name addresses without end. */
  readonly codeCallsInFlightMax: number;
  readonly codeCallsPerSecondMax: number;
}

const LIMITS: CodeLimits = {
  codeAddressesMax: 10_000,
  codeTtlMs: 60 * 60_000,
  noCodeTtlMs: 10_000,
  codeCallsInFlightMax: 16,
  codeCallsPerSecondMax: 50,
};

export interface CodeLookupOptions {
  /** Whether there is code; null: the chain cannot be asked. Never rejects. */
  readonly ask: (address: WalletAddress) => Promise<boolean | null>;
  readonly stopwatch: Stopwatch;
  readonly limits?: Partial<CodeLimits>;
}

/**
 * Returns `ChainReader.hasCode` behind its cache: questions about one address at the same time
 * share one call, and beyond the limits of calls the answer is `unknown`, which is not kept.
 */
export function createCodeLookup({ ask, stopwatch, limits: given }: CodeLookupOptions): ChainReader['hasCode'] {
  const limits = { ...LIMITS, ...given };
  const { codeCallsInFlightMax: inFlightMax, codeCallsPerSecondMax: perSecondMax } = limits;
  const pace = createPace(stopwatch, { inFlightMax, perSecondMax });
  const answers = new LRUCache<WalletAddress, 'code' | 'no_code'>({
    max: limits.codeAddressesMax,
    ttl: limits.codeTtlMs,
    ttlResolution: 0,
    perf: { now: () => stopwatch.elapsedMs() },
    // An address pushed out while it is being asked about is still wanted by whoever waits for it.
    ignoreFetchAbort: true,
    fetchMethod: async (address, _old, { options }) => {
      const isThere = await pace(() => ask(address));
      if (isThere === null) return undefined;
      options.ttl = isThere ? limits.codeTtlMs : limits.noCodeTtlMs;
      return isThere ? 'code' : 'no_code';
    },
  });
  return async (address) => (await answers.fetch(address)) ?? 'unknown';
}
