import { type Address, encodeAbiParameters, type Hex, keccak256, pad, parseAbi, toHex } from 'viem';
import { BASE_CHAIN_ID, USDC_ON_BASE } from '#domain/payment/payment';
import { USDC_DOMAIN } from '#wire/x402/x402';

/** Base, whose place the local chain takes. */
export const CHAIN_ID = BASE_CHAIN_ID;

/**
 * The test token stands at the address of USDC on Base, so that what is signed for one is of the
 * same form.
 */
export const USDC_ADDRESS: Address = USDC_ON_BASE;

/** Multicall3, at its address on every chain. */
export const MULTICALL3_ADDRESS: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** The functions and events of USDC that payments and their tests use. */
export const usdcAbi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);

/** What a signature for this token is bound to. */
export const usdcDomain = {
  ...USDC_DOMAIN,
  chainId: CHAIN_ID,
  verifyingContract: USDC_ADDRESS,
} as const;

/** EIP-712 types by which a payer takes an authorization back before it is used. */
export const cancelTypes = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Where the test token keeps its minter (contracts/TestUsdc.sol). */
export const MINTER_SLOT: Hex = pad('0x0', { size: 32 });

/** Where the test token keeps the balance of an account: its mapping is in slot 1. */
export function balanceSlot(account: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 1n]));
}

/** A number as one word of storage. */
export function toWord(value: bigint): Hex {
  return toHex(value, { size: 32 });
}
