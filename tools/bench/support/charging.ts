import type { Bearer } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import { walletOf } from '#local/venue/market/deterministic-ids';
import type { Credits } from '#services/credits/credits';
import type { Operation } from './concurrency.js';

/** What each wallet is given: more than can be charged. */
export const CREDITS = 1_000_000_000;
export const REQUEST_ID = 'r'.repeat(24);

const ownerOf = (wallet: WalletAddress): Bearer => ({ wallet, scope: 'purchase', code: null });

/** Charges of wallets that have enough. */
export interface Charging {
  /** A wallet for each caller. */
  readonly chargeMany: Operation;
  /** All callers have one. */
  readonly chargeOne: Operation;
  /** How many charges were answered. */
  charged(): number;
}

/** Returns the wallets that so many callers charge. */
export function chargedWallets(callers: number): readonly WalletAddress[] {
  return Array.from({ length: callers }, (_, i) => walletOf(`caller ${i}`));
}

/** Gives the wallets their credits. */
export async function grantAll(credits: Pick<Credits, 'grant'>, wallets: readonly WalletAddress[]): Promise<void> {
  for (const wallet of wallets) await credits.grant(wallet, CREDITS, 30, 'benchmark');
}

/** Returns how many credits of the wallets are gone. */
export async function creditsGone(
  credits: Pick<Credits, 'balanceOf'>,
  wallets: readonly WalletAddress[],
): Promise<number> {
  let left = 0;
  for (const wallet of wallets) left += (await credits.balanceOf(ownerOf(wallet))).balance;
  return wallets.length * CREDITS - left;
}

/** Returns operations that charge wallets one credit each time. */
export function openCharging(credits: Pick<Credits, 'charge'>, wallets: readonly WalletAddress[]): Charging {
  let charged = 0;
  const request = (wallet: WalletAddress) => ({
    bearer: ownerOf(wallet),
    tool: 'preflight_trade',
    credits: 1,
    requestId: REQUEST_ID,
    idempotency: null,
    render: ({ creditsRemaining }: { creditsRemaining: number }) => `{"paid":${creditsRemaining}}`,
  });
  const charge = async (wallet: WalletAddress) => {
    const { kind } = await credits.charge(request(wallet));
    if (kind !== 'charged') throw new Error(`a charge was ${kind}`);
    charged++;
  };
  return {
    chargeMany: (caller) => charge(wallets[caller]!),
    chargeOne: () => charge(wallets[0]!),
    charged: () => charged,
  };
}
