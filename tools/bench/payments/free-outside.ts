import type { ChainReader, Facilitator } from '#ports/settlement';
import { deferred } from '#test/support/promises';

/** Payments on the word of one facilitator: fewer than need a proof first. */
const PER_FACILITATOR = 32;
const TX = `0x${'7a'.repeat(32)}`;

/** Chain and facilitator at no cost: what is left is ours. */
export interface FreeOutside {
  readonly chain: ChainReader;
  readonly facilitator: Facilitator;
  /**
   * Holds back the next payment that is to be settled. `held` resolves when it has come; `letGo`
   * settles it.
   */
  holdNext(): { readonly held: Promise<void>; readonly letGo: () => void };
}

/** Returns an outside that says yes to everything at once. */
export function freeOutside(): FreeOutside {
  let settled = 0;
  let gate: { readonly came: () => void; readonly opened: Promise<void> } | null = null;
  const health = () => ({ name: 'none', ok: true, lastOkAtMs: null, lastError: null });
  return {
    facilitator: {
      get name() {
        return `none-${Math.floor(settled++ / PER_FACILITATOR)}`;
      },
      isResting: () => false,
      verify: async () => ({ kind: 'valid' }),
      settle: async () => {
        if (gate !== null) {
          const { came, opened } = gate;
          gate = null;
          came();
          await opened;
        }
        return { kind: 'settled', transaction: TX };
      },
      health,
    },
    chain: {
      head: async () => ({ blockNumber: 1_000, timestampS: 0 }),
      stateAtHead: async () => ({ blockNumber: 1_000, isSpent: false }),
      resolve: async () => ({ kind: 'unknown', reason: 'not asked' }),
      receipt: async (transaction, { authorization }) => {
        const logIndex = Number(BigInt(authorization.nonce) % 1_000_000_007n);
        return { kind: 'paid', transaction, blockNumber: 999, logIndex };
      },
      transfersTo: async () => [],
      hasCode: async () => 'unknown',
      isSignedByWallet: async () => 'unknown',
      holds: async () => true,
      health,
    },
    holdNext() {
      const [came, opened] = [deferred(), deferred()];
      gate = { came: came.resolve, opened: opened.promise };
      return { held: came.promise, letGo: opened.resolve };
    },
  };
}
