import { expect } from 'chai';
import fc from 'fast-check';
import { hashTypedData, hexToBytes, recoverTypedDataAddress } from 'viem/utils';
import { signerOf } from '#adapters/chain/recover-signer';
import { createSignatureCheck } from '#adapters/chain/signature-check';
import type { WalletAddress } from '#domain/ids';
import type { Authorization, SignedPayment } from '#domain/payment/payment';
import { PAYEE, signPayment, toTypedData, USDC } from '#test/support/signed-payments';

/** Order of the curve, and with it the other s that signs the same. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const check = createSignatureCheck(USDC);

const bend = (payment: SignedPayment, signature: string): SignedPayment => ({ ...payment, signature });

/** The mirror image of a signature: other s, other parity; the same key. */
function mirror(signature: string): string {
  const s = (N - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
  return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

describe('signature check', () => {
  let payment: SignedPayment;
  before(async () => {
    payment = await signPayment();
  });

  it('knows the signature of the payer, in upper case too', () => {
    expect(check.check(payment)).to.equal('matches');
    expect(check.check(bend(payment, `0x${payment.signature.slice(2).toUpperCase()}`))).to.equal('matches');
  });

  it('agrees with viem on whatever was signed', async () => {
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
    const nonce = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
    const signed = fc.record({ value: uint, validAfter: uint, validBefore: uint, nonce });
    await fc.assert(
      fc.asyncProperty(signed, async (given) => {
        const one = await signPayment(given);
        const signature = one.signature as `0x${string}`;
        const signer = await recoverTypedDataAddress({ ...toTypedData(one.authorization), signature });
        expect(signer.toLowerCase()).to.equal(one.authorization.from);
        expect(check.check(one)).to.equal('matches');
      }),
      { numRuns: 40 },
    );
  });

  it('finds the signer that viem finds, or none, when one bit of a signature is another', async () => {
    const { authorization } = payment;
    const digest = hexToBytes(hashTypedData(toTypedData(authorization)));
    const bytes = Buffer.from(payment.signature.slice(2), 'hex');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 64 * 8 - 1 }), async (bit) => {
        const bent = Buffer.from(bytes);
        bent[bit >> 3]! ^= 1 << (bit & 7);
        const signature = `0x${bent.toString('hex')}` as const;
        const found = await recoverTypedDataAddress({ ...toTypedData(authorization), signature }).catch(() => null);
        const isLow = BigInt(`0x${signature.slice(66, 130)}`) <= N / 2n;
        expect(signerOf(digest, signature)).to.equal(isLow ? (found?.toLowerCase() ?? null) : null);
        expect(check.check(bend(payment, signature))).to.equal('mismatch');
      }),
      { numRuns: 20 },
    );
  });

  it('notices a change of any field and of the token', () => {
    const changes: Partial<Authorization>[] = [
      { from: PAYEE },
      { to: USDC },
      { value: '20001' },
      { validAfter: '1' },
      { validBefore: '1900000001' },
      { nonce: `0x${'00'.repeat(32)}` },
    ];
    for (const change of changes) {
      const authorization = { ...payment.authorization, ...change };
      expect(check.check({ ...payment, authorization }), Object.keys(change)[0]).to.equal('mismatch');
    }
    const other = createSignatureCheck(PAYEE as WalletAddress);
    expect(check.check({ ...payment, asset: PAYEE })).to.equal('mismatch');
    expect(other.check({ ...payment, asset: PAYEE })).to.equal('mismatch');
  });

  it('takes from a key only what the token takes: the lower s, and v of 27 or 28', async () => {
    const { signature } = payment;
    expect(check.check(bend(payment, mirror(signature)))).to.equal('mismatch');
    expect(check.check(bend(payment, mirror(mirror(signature))))).to.equal('matches');
    for (const v of ['00', '01', '1d', 'ff']) {
      expect(check.check(bend(payment, signature.slice(0, 130) + v)), v).to.equal('mismatch');
    }
    expect(check.check(bend(payment, signature.slice(0, 130) + (signature.endsWith('1b') ? '1c' : '1b')))).to.equal(
      'mismatch',
    );
  });

  it('leaves to others what may be the signature of a smart wallet', () => {
    for (const bytes of [1, 64, 66, 130, 1_024]) {
      expect(check.check(bend(payment, `0x${'ab'.repeat(bytes)}`)), `${bytes} bytes`).to.equal('mismatch');
    }
    for (const filler of ['00', 'ff']) {
      expect(check.check(bend(payment, `0x${filler.repeat(64)}1b`)), filler).to.equal('mismatch');
    }
  });

  it('refuses what is none, and wallets that would have to be deployed first', () => {
    const { signature } = payment;
    for (const none of ['', '0x', '0x1', '0xzz', 'canary', `${signature}0`]) {
      expect(check.check(bend(payment, none)), none).to.equal('malformed');
    }
    for (const wrapped of [
      `${signature}${'6492'.repeat(16)}`,
      `0x${'6492'.repeat(16)}`,
      `0x${'00'.repeat(33)}${'6492'.repeat(16)}`,
    ]) {
      expect(check.check(bend(payment, wrapped))).to.equal('malformed');
    }
  });

  it('never throws on any 65 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 65, maxLength: 65 }), fc.constantFrom('1b', '1c', ''), (bytes, v) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect(check.check(bend(payment, `0x${v === '' ? hex : hex.slice(0, 128) + v}`))).to.equal('mismatch');
      }),
      { numRuns: 200 },
    );
  });
});
