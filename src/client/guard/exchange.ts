import { encodeAbiParameters, hashTypedData, keccak256, recoverAddress, toHex } from 'viem';
import type { SignedOrder } from './signed-order.js';

/**
 * Which exchange an order was signed for. The address is in the signature alone, so it is found by
 * looking whether the signature holds for an exchange that is known. Addresses and forms: the
 * venue's own clients, `@polymarket/clob-client-v2` 1.1.0 and `@polymarket/client` 0.2.0.
 */
const EXCHANGE_V2 = '0xE111180000d2663C0091e4f400237545B87B996B';
const NEG_RISK_EXCHANGE_V2 = '0xe2222d279d744050d28e00520010520000310F59';
const POLYGON = 137;
const AMOY = 80_002;
const EXCHANGES = [
  { verifyingContract: EXCHANGE_V2, version: '2', chainId: POLYGON, negRisk: false },
  { verifyingContract: NEG_RISK_EXCHANGE_V2, version: '2', chainId: POLYGON, negRisk: true },
  { verifyingContract: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa', version: '3', chainId: POLYGON, negRisk: null },
  { verifyingContract: EXCHANGE_V2, version: '2', chainId: AMOY, negRisk: false },
  { verifyingContract: NEG_RISK_EXCHANGE_V2, version: '2', chainId: AMOY, negRisk: true },
  { verifyingContract: '0x9fE6e61422AdB6F610d8597F9684b16912D50C3D', version: '3', chainId: AMOY, negRisk: null },
] as const;
const NAME = 'Polymarket CTF Exchange';

const ORDER = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const;

/** The signature of a wallet that is a contract: the inner one, then the domain that it is for. */
const CONTRACT_WALLET = 3;
const INNER_SIGNATURE_CHARS = 2 + 130;
const WORD_CHARS = 64;
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';

/** `unreadable`: not in a form of which that can be said. */
export type ExchangeFound = 'known' | 'other' | 'unreadable';

/**
 * Returns whether an order was signed for an exchange that is known; `negRisk` says which of two it
 * has to be, null: either.
 */
export async function findExchange({ whole, side }: SignedOrder, negRisk: boolean | null): Promise<ExchangeFound> {
  const { signature, signatureType } = whole;
  if (typeof signature !== 'string' || whole.timestamp === undefined || whole.builder === undefined)
    return 'unreadable';
  const allowed = EXCHANGES.filter((one) => negRisk === null || one.negRisk === null || one.negRisk === negRisk);
  try {
    if (Number(signatureType) === CONTRACT_WALLET) {
      const domain = signature.slice(INNER_SIGNATURE_CHARS, INNER_SIGNATURE_CHARS + WORD_CHARS).toLowerCase();
      return allowed.some((exchange) => domainHash(exchange).slice(2) === domain) ? 'known' : 'other';
    }
    for (const exchange of allowed) {
      const hash = orderHash(whole, side, exchange);
      const signer = await recoverAddress({ hash, signature: signature as `0x${string}` });
      if (signer.toLowerCase() === String(whole.signer).toLowerCase()) return 'known';
    }
    return 'other';
  } catch {
    return 'unreadable';
  }
}

type Exchange = (typeof EXCHANGES)[number];

function orderHash(whole: SignedOrder['whole'], side: 'BUY' | 'SELL', exchange: Exchange): `0x${string}` {
  const { version, chainId, verifyingContract } = exchange;
  return hashTypedData({
    domain: { name: NAME, version, chainId, verifyingContract },
    types: { Order: ORDER },
    primaryType: 'Order',
    message: {
      salt: BigInt(String(whole.salt)),
      maker: whole.maker as `0x${string}`,
      signer: whole.signer as `0x${string}`,
      tokenId: BigInt(String(whole.tokenId)),
      makerAmount: BigInt(String(whole.makerAmount)),
      takerAmount: BigInt(String(whole.takerAmount)),
      side: side === 'BUY' ? 0 : 1,
      signatureType: Number(whole.signatureType),
      timestamp: BigInt(String(whole.timestamp)),
      metadata: whole.metadata as `0x${string}`,
      builder: whole.builder as `0x${string}`,
    },
  });
}

function domainHash({ version, chainId, verifyingContract }: Exchange): string {
  const words = [keccak256(toHex(DOMAIN_TYPE)), keccak256(toHex(NAME)), keccak256(toHex(version))] as const;
  const types = [
    { type: 'bytes32' },
    { type: 'bytes32' },
    { type: 'bytes32' },
    { type: 'uint256' },
    { type: 'address' },
  ] as const;
  return keccak256(encodeAbiParameters(types, [...words, BigInt(chainId), verifyingContract]));
}
