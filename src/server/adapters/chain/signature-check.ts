import type { WalletAddress } from '#domain/ids';
import { type Authorization, BASE_CHAIN_ID } from '#domain/payment/payment';
import type { SignatureCheck } from '#ports/settlement';
import { ERC6492_SUFFIX } from '#wire/x402/erc6492';
import { USDC_DOMAIN } from '#wire/x402/x402';
import { keccak } from './keccak.js';
import { signerOf } from './recover-signer.js';

const hashText = (text: string) => keccak(Buffer.from(text));

const DOMAIN_TYPEHASH = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');
const TRANSFER_TYPEHASH = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
);

/** 0x, then r and s of 32 bytes each and one byte v. */
const KEY_SIGNATURE = /^0x[0-9a-f]{130}$/;

/**
 * Returns a check of signatures for one token by its own rules (FiatTokenV2_2, ECRecover): 65
 * bytes, v of 27 or 28, and the lower of the two s. What breaks them is no key's signature, but may
 * be a smart wallet's: `mismatch`. The curve is done in WebAssembly: in JavaScript it takes several
 * times as long as all the rest of a paid call.
 */
export function createSignatureCheck(asset: WalletAddress): SignatureCheck {
  const hashToSign = createTransferHash(asset);
  return {
    check(payment) {
      const signature = payment.signature.toLowerCase();
      if (!/^0x([0-9a-f]{2})+$/.test(signature) || signature.endsWith(ERC6492_SUFFIX)) return 'malformed';
      if (payment.asset !== asset || !KEY_SIGNATURE.test(signature)) return 'mismatch';
      const digest = hashToSign(payment.authorization);
      return signerOf(digest, signature) === payment.authorization.from ? 'matches' : 'mismatch';
    },
  };
}

/** Returns the function of what is signed for a transfer of the token: 32 bytes. */
export function createTransferHash(asset: WalletAddress): (authorization: Authorization) => Uint8Array {
  return hashTransfers(hashDomain(asset));
}

function hashDomain(asset: WalletAddress): Uint8Array {
  const { name, version } = USDC_DOMAIN;
  const chain = Buffer.from(toNumberWord(String(BASE_CHAIN_ID)) + toAddressWord(asset), 'hex');
  return keccak(Buffer.concat([DOMAIN_TYPEHASH, hashText(name), hashText(version), chain]));
}

/** A word of what is hashed. */
const WORD_BYTES = 32;

/**
 * EIP-712 by hand: the type and the domain never change, and the fields are six words of 32 bytes.
 * Both texts are written over for each payment.
 */
function hashTransfers(domainSeparator: Uint8Array): (authorization: Authorization) => Uint8Array {
  const struct = Buffer.alloc(7 * WORD_BYTES);
  struct.set(TRANSFER_TYPEHASH);
  const signed = Buffer.from([0x19, 0x01, ...domainSeparator, ...new Uint8Array(WORD_BYTES)]);
  return ({ from, to, value, validAfter, validBefore, nonce }) => {
    const words = [from, to].map(toAddressWord).concat([value, validAfter, validBefore].map(toNumberWord));
    struct.write(words.join('') + nonce.slice(2), WORD_BYTES, 'hex');
    signed.set(keccak(struct), 2 + WORD_BYTES);
    return keccak(signed);
  };
}

function toAddressWord(address: WalletAddress): string {
  return address.slice(2).padStart(64, '0');
}

function toNumberWord(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(64, '0');
}
