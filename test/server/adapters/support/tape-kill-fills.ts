import type { Fill } from '#domain/rating/fill';
import { AS_OF_S, fillOf } from './tape-checks.js';

/** Wallets that share the fills of a segment. */
export const KILL_WALLETS = ['0xa', '0xb', '0xc'] as const;
const FILLS = 60;

/** Returns the fills of a numbered segment; no two segments share one. */
export function killFills(segment: number): readonly Fill[] {
  return Array.from({ length: FILLS }, (_, i) =>
    fillOf({
      wallet: KILL_WALLETS[i % KILL_WALLETS.length]!,
      token: `t${i}`,
      condition: `c${i}`,
      tx: `${segment}-${i}`,
      timeS: AS_OF_S - 1_000_000 + segment,
    }),
  );
}
