import { toFunctionSelector } from 'viem/utils';
import type { SignedPayment } from '#domain/payment/payment';
import type { ChainReader } from '#ports/settlement';
import type { Stopwatch } from '#system/stopwatch';
import type { BaseRpc } from './base-rpc.js';
import { createPace } from './pace.js';
import { toWord } from './payment-logs.js';
import { createTransferHash } from './signature-check.js';

export interface WalletCallLimits {
  /** Signatures asked about at once, and in one second: anybody can name a contract as payer. */
  readonly walletCallsInFlightMax: number;
  readonly walletCallsPerSecondMax: number;
}

const LIMITS: WalletCallLimits = { walletCallsInFlightMax: 16, walletCallsPerSecondMax: 20 };

const IS_VALID_SIGNATURE = toFunctionSelector('isValidSignature(bytes32,bytes)');
/** What a wallet answers that takes the signature for its own: the selector, at the left of a word. */
const MAGIC = IS_VALID_SIGNATURE.padEnd(2 + 64, '0');
/** Wallets that check a passkey in Solidity take a tenth of it; a loop without end is soon over. */
const GAS_MAX = `0x${(10_000_000).toString(16)}`;

export interface WalletSignaturesOptions {
  /** Asks one endpoint after the other; null: none of them answers. Never rejects. */
  readonly first: <T>(ask: (rpc: BaseRpc) => Promise<T>) => Promise<T | null>;
  readonly stopwatch: Stopwatch;
  readonly limits?: Partial<WalletCallLimits>;
}

/**
 * Returns `ChainReader.isSignedByWallet` by EIP-1271: the question that the token puts to a payer
 * with code before it transfers, in the token's name. Beyond the limits of calls the answer is
 * `unknown`.
 */
export function createWalletSignatures(options: WalletSignaturesOptions): ChainReader['isSignedByWallet'] {
  const { first, stopwatch } = options;
  const limits = { ...LIMITS, ...options.limits };
  const { walletCallsInFlightMax: inFlightMax, walletCallsPerSecondMax: perSecondMax } = limits;
  const pace = createPace(stopwatch, { inFlightMax, perSecondMax });
  return async (payment) => {
    const call = toCall(payment);
    const answer = await pace(() => first((rpc) => rpc.call(call, null)));
    if (answer === null) return 'unknown';
    return answer.kind === 'returned' && answer.data.startsWith(MAGIC) ? 'signed' : 'not_signed';
  };
}

function toCall({ asset, authorization, signature }: SignedPayment) {
  const digest = Buffer.from(createTransferHash(asset)(authorization)).toString('hex');
  const bytes = signature.slice(2).toLowerCase();
  const words = [
    digest,
    // Where the bytes begin, behind two words; and how many there are.
    ...['0x40', `0x${(bytes.length / 2).toString(16)}`].map((number) => toWord(number).slice(2)),
    bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0'),
  ];
  return { from: asset, to: authorization.from, gas: GAS_MAX, data: IS_VALID_SIGNATURE + words.join('') };
}
