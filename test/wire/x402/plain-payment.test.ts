import { expect } from 'chai';
import fc from 'fast-check';
import { DEMAND, PAYEE, USDC } from '#test/support/signed-payments';
import { PROPERTY_RUNS } from '#test/support/size';
import { readPlainPayment } from '#wire/x402/plain-payment';
import { readPaymentBySchemas } from '#wire/x402/x402-payment';

type Json = Record<string, unknown>;

/** Bytes in both spellings of their digits. */
const hex = (length: number) =>
  fc.tuple(fc.uint8Array({ minLength: length, maxLength: length }), fc.boolean()).map(([bytes, isUpper]) => {
    const digits = Buffer.from(bytes).toString('hex');
    return `0x${isUpper ? digits.toUpperCase() : digits}`;
  });
const name = fc.oneof(
  ...[16, 17, 128].map((length) => fc.constantFrom('a', 'Z', '9', '_', '-').map((one) => one.repeat(length))),
);
const digits = fc.bigInt({ min: 0n, max: 10n ** 78n - 1n }).map(String);

/** Payments as clients of our terms make them. */
const usual = fc
  .record({
    from: hex(20),
    validAfter: fc.constantFrom('0', '1700000000', '00'),
    validBefore: digits,
    nonce: hex(32),
    signature: fc.oneof(hex(65), hex(64), hex(1_024)),
    id: fc.option(name, { nil: undefined }),
    secret: fc.option(name, { nil: undefined }),
    payTo: fc.constantFrom<string>(PAYEE, `0x${PAYEE.slice(2).toUpperCase()}`),
    asset: fc.constantFrom<string>(USDC, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  })
  .map(({ signature, id, secret, payTo, asset, ...signed }): Json => {
    const terms = { scheme: 'exact', network: 'eip155:8453', amount: '20000', asset, payTo, maxTimeoutSeconds: 120 };
    return {
      x402Version: 2,
      resource: { url: DEMAND.resourceUrl, description: DEMAND.description, mimeType: 'application/json' },
      accepted: { ...terms, extra: { name: 'USD Coin', version: '2' } },
      payload: { signature, authorization: { ...signed, to: payTo, value: '20000' } },
      extensions: {
        bazaar: { info: {}, schema: {} },
        'payment-identifier': { info: { required: false, ...(id === undefined ? {} : { id }) }, schema: {} },
        ...(secret === undefined ? {} : { 'purchase-secret': { info: { value: secret }, schema: {} } }),
      },
    };
  });

/** Where a payment can be otherwise, and what may stand there. */
const PLACES = [
  ...['x402Version', 'resource', 'accepted', 'payload', 'extensions', 'more', 'resource.url', 'resource.description'],
  ...['resource.tags', 'resource.serviceName', 'accepted.scheme', 'accepted.network', 'accepted.amount'],
  ...['accepted.asset', 'accepted.payTo', 'accepted.maxTimeoutSeconds', 'accepted.extra', 'accepted.more'],
  ...['accepted.extra.assetTransferMethod', 'accepted.extra.paymentFlow', 'payload.signature', 'payload.more'],
  ...['payload.authorization', 'payload.authorization.from', 'payload.authorization.to', 'payload.authorization.value'],
  ...['payload.authorization.validAfter', 'payload.authorization.validBefore', 'payload.authorization.nonce'],
  ...['payload.authorization.more', 'extensions.more', 'extensions.payment-identifier', 'extensions.purchase-secret'],
  ...['extensions.payment-identifier.info', 'extensions.payment-identifier.info.id'],
  ...['extensions.purchase-secret.info', 'extensions.purchase-secret.info.value', 'payload.__proto__'],
];
const UINT256_MAX = 2n ** 256n - 1n;
const value = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    1,
    2,
    -1,
    120,
    1e300,
    '',
    '0',
    '20000',
    '020000',
    '-1',
    '1e3',
    ' 1',
  ),
  fc.constantFrom<unknown>([], ['x'], {}, { info: [] }, { info: {} }, { info: null }, { value: 'x'.repeat(16) }),
  fc.constantFrom<unknown>('exact', 'upto', 'eip155:8453', 'base', 'eip3009', 'permit2', 'authorization', 'escrow'),
  fc.constantFrom<unknown>(`${UINT256_MAX}`, `${UINT256_MAX + 1n}`, '9'.repeat(77), '9'.repeat(79), USDC, PAYEE, '0x'),
  fc.oneof(hex(20), hex(32), hex(65), hex(1_025), name, fc.string(), fc.double()),
);

function put(payment: Json, [place, what]: readonly [string, unknown]): void {
  const names = place.split('.');
  const last = names.pop()!;
  let at: unknown = payment;
  for (const one of names) at = (at as Json | null | undefined)?.[one];
  if (typeof at !== 'object' || at === null) return;
  Object.defineProperty(at, last, {
    value: structuredClone(what),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** As it comes out of a header. */
const sent = (payment: unknown): unknown => JSON.parse(JSON.stringify(payment));

describe('a payment in its usual form', () => {
  it('is read without the schemas as they read it', () => {
    fc.assert(
      fc.property(usual, (payment) => {
        const raw = sent(payment);
        const bySchemas = readPaymentBySchemas(raw);
        const plain = readPlainPayment(raw);
        const { validBefore } = (raw as { payload: { authorization: { validBefore: string } } }).payload.authorization;
        // Of numbers with 78 digits some are too large.
        if (validBefore.length < 78) expect(plain).to.not.equal(null);
        if (plain !== null) expect(plain).to.deep.equal(bySchemas);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is left to the schemas, or read as they read it, whatever stands in it', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...PLACES), value), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(usual, changes, (payment, changed) => {
        const given = structuredClone(payment);
        for (const change of changed) put(given, change);
        const raw = sent(given);
        const plain = readPlainPayment(raw);
        if (plain !== null) expect(plain).to.deep.equal(readPaymentBySchemas(raw));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is no payment if it is no object', () => {
    for (const raw of [undefined, null, 2, 'x', [], [{ x402Version: 2 }]]) expect(readPlainPayment(raw)).to.equal(null);
  });
});
