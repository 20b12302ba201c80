import { hashTypedData, recoverAddress } from 'viem';
import type { PostedOrder } from './posted-order.js';

/** By which of the venue's two exchanges of version 2 on Polygon the market is settled. */
const EXCHANGES = {
  plain: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const;
const POLYGON = 137;
/** The kind of signature of a wallet that is a contract. */
const CONTRACT_WALLET = 3;

const FIELDS = [
  ['salt', 'uint256'],
  ['maker', 'address'],
  ['signer', 'address'],
  ['tokenId', 'uint256'],
  ['makerAmount', 'uint256'],
  ['takerAmount', 'uint256'],
  ['side', 'uint8'],
  ['signatureType', 'uint8'],
  ['timestamp', 'uint256'],
  ['metadata', 'bytes32'],
  ['builder', 'bytes32'],
] as const;

/**
 * Returns the hash of an order for its exchange, and whether its signer signed that; null where its
 * fields are no order of version 2. A wallet that is a contract is taken at its word.
 */
export async function readSignature(
  { signed, signer }: PostedOrder,
  negRisk: boolean,
): Promise<{ readonly hash: `0x${string}`; readonly isSigned: boolean } | null> {
  try {
    const whole: Record<string, unknown> = { ...signed, side: signed.side === 'BUY' ? 0 : 1 };
    const message = Object.fromEntries(FIELDS.map(([name, type]) => [name, fieldOf(whole[name], type)]));
    const hash = hashTypedData({
      domain: {
        name: 'Polymarket CTF Exchange',
        version: '2',
        chainId: POLYGON,
        verifyingContract: negRisk ? EXCHANGES.negRisk : EXCHANGES.plain,
      },
      types: { Order: FIELDS.map(([name, type]) => ({ name, type })) } as Record<
        string,
        { name: string; type: string }[]
      >,
      primaryType: 'Order',
      message,
    });
    if (Number(signed.signatureType) === CONTRACT_WALLET) return { hash, isSigned: true };
    const by = await recoverAddress({ hash, signature: signed.signature as `0x${string}` });
    return { hash, isSigned: by.toLowerCase() === signer };
  } catch {
    return null;
  }
}

function fieldOf(value: unknown, type: string): unknown {
  if (type.startsWith('uint')) return BigInt(String(value));
  return value;
}
