import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hexToBytes } from 'viem';
import { generatePrivateKey, sign } from 'viem/accounts';
import { nativeCurve } from '#adapters/chain/native-curve';
import { recoverKeyInWasm } from '#adapters/chain/wasm-curve';

/** Order of the curve, and of its field. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const P = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
/** Numbers beside which something else holds. */
const EDGES = [0n, 1n, 2n, N / 2n, N / 2n + 1n, N - 1n, N, N + 1n, P - N - 1n, P - N, P - 1n, P, 2n ** 256n - 1n];

const word = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(...EDGES));
const parity = fc.constantFrom(0 as const, 1 as const);
const digest = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constantFrom(...EDGES).map((edge) => toWord(edge)),
);

function toWord(number: bigint): Uint8Array {
  return hexToBytes(`0x${number.toString(16).padStart(64, '0')}`);
}

const shown = (key: Uint8Array | null) => (key === null ? null : Buffer.from(key).toString('hex'));

describe('the curve in native code and in WebAssembly', () => {
  const native = nativeCurve();

  before(function () {
    if (native !== null) return;
    console.warn('      there is no native curve for this machine: only WebAssembly is tested');
    this.skip();
  });

  it('is native where most services run', () => {
    if (process.platform === 'linux' && process.arch === 'x64') expect(native).to.not.equal(null);
  });

  it('finds the same keys, or none, for whatever numbers come as a signature', () => {
    fc.assert(
      fc.property(digest, word, word, parity, (hash, r, s, v) => {
        const compact = Buffer.concat([toWord(r), toWord(s)]);
        expect(shown(native!(hash, compact, v))).to.equal(shown(recoverKeyInWasm(hash, compact, v)));
      }),
      { numRuns: 1_500 },
    );
  });

  it('finds the same keys for signatures, also bent by a bit, with the other s, and with the other parity', async () => {
    for (let i = 0; i < 20; i++) {
      const hash = randomBytes(32);
      const { r, s, yParity } = await sign({ hash: `0x${hash.toString('hex')}`, privateKey: generatePrivateKey() });
      const other = toWord(N - BigInt(s));
      const compact = Buffer.concat([hexToBytes(r), hexToBytes(s)]);
      const bent = Buffer.from(compact);
      bent[i * 3]! ^= 1 << (i & 7);
      for (const one of [compact, bent, Buffer.concat([hexToBytes(r), other])]) {
        for (const v of [0, 1] as const) {
          const found = shown(native!(hash, one, v));
          expect(found, `${hash.toString('hex')} ${one.toString('hex')} ${v}`).to.equal(
            shown(recoverKeyInWasm(hash, one, v)),
          );
          if (one === compact && v === yParity) expect(found).to.be.a('string');
        }
      }
    }
  });
});
