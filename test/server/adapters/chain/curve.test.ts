import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { bytesToHex, hexToBytes, recoverPublicKey, toBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { recoverKey } from '#adapters/chain/curve';

/** Order of the curve, and of its field. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const P = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
/** Numbers beside which something else holds. */
const EDGES = [0n, 1n, 2n, N / 2n, N / 2n + 1n, N - 1n, N, N + 1n, P - N - 1n, P - N, P - 1n, P, 2n ** 256n - 1n];

const toWord = (number: bigint) => toBytes(number, { size: 32 });
const word = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(...EDGES)).map(toWord);
const parity = fc.constantFrom(0 as const, 1 as const);

/** Both write a key as x and y; viem puts a 4 before them. */
function byCurve(digest: Uint8Array, compact: Uint8Array, yParity: 0 | 1): string | null {
  const key = recoverKey(digest, compact, yParity);
  return key === null ? null : `0x04${bytesToHex(key).slice(2)}`;
}

function byViem(digest: Uint8Array, compact: Uint8Array, yParity: 0 | 1): Promise<string | null> {
  const [r, s] = [bytesToHex(compact.subarray(0, 32)), bytesToHex(compact.subarray(32))];
  return recoverPublicKey({ hash: bytesToHex(digest), signature: { r, s, yParity } }).catch(() => null);
}

describe('the curve', () => {
  it('finds the key that viem finds, or none, for whatever numbers come as a signature', async () => {
    await fc.assert(
      fc.asyncProperty(word, word, word, parity, async (digest, r, s, yParity) => {
        const compact = Buffer.concat([r, s]);
        expect(byCurve(digest, compact, yParity)).to.equal(await byViem(digest, compact, yParity));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the key of a signer, also by the other s, and the key that viem finds if a bit is bent', async () => {
    for (let i = 0; i < 20; i++) {
      const digest = randomBytes(32);
      const privateKey = generatePrivateKey();
      const { r, s, yParity } = await sign({ hash: bytesToHex(digest), privateKey });
      const even = yParity === 0;
      const { publicKey } = privateKeyToAccount(privateKey);
      const compact = Buffer.concat([hexToBytes(r), hexToBytes(s)]);
      const mirrored = Buffer.concat([hexToBytes(r), toWord(N - BigInt(s))]);
      expect(byCurve(digest, compact, even ? 0 : 1)).to.equal(publicKey);
      expect(byCurve(digest, mirrored, even ? 1 : 0)).to.equal(publicKey);
      expect(byCurve(digest, compact, even ? 1 : 0)).to.not.equal(publicKey);
      compact[i * 3]! ^= 1 << (i & 7);
      expect(byCurve(digest, compact, even ? 0 : 1)).to.equal(await byViem(digest, compact, even ? 0 : 1));
    }
  });
});
