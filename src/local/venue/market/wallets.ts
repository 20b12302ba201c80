import type { WalletAddress } from '#domain/ids';
import type { Random } from '#system/random';
import { walletOf } from './deterministic-ids.js';

/**
 * How a wallet trades. sharp: towards where the price is about to go. noise: either way. whale:
 * either way, ten times the size. farmer: buys and sells at once in tiny clips. hopeful: always
 * buys what is cheap.
 */
type TradingStyle = 'sharp' | 'noise' | 'whale' | 'farmer' | 'hopeful';

export interface VenueWallet {
  readonly address: WalletAddress;
  readonly name: string;
  readonly pseudonym: string;
  readonly style: TradingStyle;
  /** Usual size of one order. */
  readonly clipUsd: number;
  /** How often it is the one who trades, relative to the others. */
  readonly weight: number;
}

/** The wallets whose trades fill the local tape; no person stands behind any of them. */
export const VENUE_WALLETS: readonly VenueWallet[] = [
  wallet('quiet.lantern', 'Patient-Heron', 'sharp', 120, 4),
  wallet('ninth-meridian', 'Candid-Sextant', 'sharp', 60, 3),
  wallet('coinflip-carol', 'Breezy-Dice', 'noise', 25, 5),
  wallet('sundaydesk', 'Mellow-Ledger', 'noise', 80, 4),
  wallet('bigtable', 'Heavy-Anchor', 'whale', 90, 1),
  wallet('dewdrop77', 'Busy-Sprout', 'farmer', 6, 5),
  wallet('clickmill', 'Restless-Loom', 'farmer', 8, 4),
  wallet('longshot.liv', 'Bright-Comet', 'hopeful', 30, 4),
];

const TOTAL_WEIGHT = VENUE_WALLETS.reduce((sum, each) => sum + each.weight, 0);

/** Returns the wallet whose turn it is to trade. */
export function pickWallet(random: Random): VenueWallet {
  let left = random.next() * TOTAL_WEIGHT;
  for (const each of VENUE_WALLETS) {
    left -= each.weight;
    if (left < 0) return each;
  }
  return VENUE_WALLETS[0] as VenueWallet;
}

function wallet(name: string, pseudonym: string, style: TradingStyle, clipUsd: number, weight: number): VenueWallet {
  return { address: walletOf(name), name, pseudonym, style, clipUsd, weight };
}
