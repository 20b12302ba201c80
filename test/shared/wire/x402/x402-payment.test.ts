import type { PaymentPayload } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { expect } from 'chai';
import fc from 'fast-check';
import { recoverTypedDataAddress, serializeErc6492Signature } from 'viem/utils';
import { isSameResource, paymentFault, paymentKey, type SignedPayment } from '#domain/payment/payment';
import { sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { DEMAND, newAccount, toTypedData, USDC } from '#test/support/signed-payments';
import { COVERING_RUNS } from '#test/support/size';
import { type PaymentOffer, paymentRequiredHeaders, toPaymentRequiredV1 } from '#wire/x402/x402';
import {
  PAYMENT_HEADER_BYTES_MAX,
  type PaymentHeaders,
  type PaymentReading,
  readPayment,
  readPaymentMeta,
} from '#wire/x402/x402-payment';

const OFFER: PaymentOffer = {
  ...DEMAND,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x00000000000000000000000000000000000Fee01',
  operation: 'preflight_trade',
};

type Json = Record<string, unknown>;
/** A payment as a client makes it, for tests to take apart. */
interface Payload extends Json {
  accepted: Json & { extra: Json };
  payload: { signature: string; authorization: Record<string, string> };
  extensions: Record<string, { info: Json; schema: Json }>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const decode = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
const read = (headers: PaymentHeaders) => readPayment(headers, USDC);
const readV2 = (header: string) => read({ paymentSignature: header, xPayment: undefined });
const readV1 = (header: string) => read({ paymentSignature: undefined, xPayment: header });

function paymentOf(reading: PaymentReading): SignedPayment {
  if (reading.kind !== 'payment') throw new Error(`expected a payment, got ${JSON.stringify(reading)}`);
  return reading.payment;
}

function reasonOf(reading: PaymentReading): string {
  if (reading.kind !== 'malformed') throw new Error(`expected a fault, got ${reading.kind}`);
  return reading.reason;
}

/**
 * Lets the official client pay a server that asks as ours does, and returns the headers that it
 * paid with.
 */
async function payAsClient(version: 1 | 2) {
  const account = newAccount();
  const server = await startLoopbackServer();
  server.answer(({ headers }, response) => {
    if ('payment-signature' in headers || 'x-payment' in headers) return sendJson(response, {});
    if (version === 2)
      response.setHeader('PAYMENT-REQUIRED', paymentRequiredHeaders(OFFER, 'pay')('secret-of-the-terms'));
    sendJson(response, toPaymentRequiredV1(OFFER, 'pay'), 402);
  });
  const v2 = { network: 'eip155:8453' as const, client: new ExactEvmScheme(account) };
  const v1 = { network: 'base' as 'eip155:8453', client: new ExactEvmSchemeV1(account), x402Version: 1 };
  const paidFetch = wrapFetchWithPaymentFromConfig(fetch, { schemes: [v2, v1] });
  try {
    expect((await paidFetch(server.baseUrl)).status).to.equal(200);
    return { account, headers: server.seen[1]!.headers };
  } finally {
    await server.close();
  }
}

describe('reading a payment', () => {
  let v2Header: string;
  let v1Header: string;

  before(async () => {
    v2Header = (await payAsClient(2)).headers['payment-signature'] as string;
    v1Header = (await payAsClient(1)).headers['x-payment'] as string;
  });

  /** The v2 payment after a change, encoded again. */
  function changed(change: (payload: Payload) => void): string {
    const payload = decode(v2Header);
    change(payload);
    return encode(payload);
  }

  it('understands the official client in both versions, and the signature is over what was read', async () => {
    for (const version of [1, 2] as const) {
      const { account, headers } = await payAsClient(version);
      const given = {
        paymentSignature: headers['payment-signature'] as string | undefined,
        xPayment: headers['x-payment'] as string | undefined,
      };
      expect([given.paymentSignature, given.xPayment].filter((value) => value !== undefined)).to.have.length(1);
      const payment = paymentOf(read(given));
      expect(payment).to.deep.include({ version, asset: USDC, paymentIdentifier: null });
      expect(payment.resourceUrl).to.equal(version === 2 ? OFFER.resourceUrl : null);
      expect(payment.authorization.from).to.equal(account.address.toLowerCase());
      expect(paymentFault(payment, DEMAND, Math.floor(Date.now() / 1e3))).to.equal(null);
      const signature = payment.signature as `0x${string}`;
      const length = (given.paymentSignature ?? given.xPayment)!.length;
      expect(length).to.be.below(PAYMENT_HEADER_BYTES_MAX / 2);
      const signer = await recoverTypedDataAddress({ ...toTypedData(payment.authorization), signature });
      expect(signer).to.equal(account.address);
    }
  });

  it('says that there is none where there is none', () => {
    expect(read({ paymentSignature: undefined, xPayment: undefined })).to.deep.equal({ kind: 'none' });
  });

  it('gives one key and one signature to all spellings of one authorization', () => {
    const expected = paymentOf(readV2(v2Header));
    const spelling = fc.record({ order: fc.infiniteStream(fc.nat()), space: fc.constantFrom('', ' ', '\n', '\t') });
    const upper = fc.record({ from: fc.boolean(), nonce: fc.boolean(), asset: fc.boolean(), signature: fc.boolean() });
    fc.assert(
      fc.property(spelling, upper, fc.boolean(), fc.nat({ max: 3 }), ({ order, space }, toUpper, padded, zeros) => {
        const payload: Payload = decode(v2Header);
        const { authorization } = payload.payload;
        if (toUpper.from) authorization.from = shout(authorization.from!);
        if (toUpper.nonce) authorization.nonce = shout(authorization.nonce!);
        if (toUpper.asset) payload.accepted.asset = shout(payload.accepted.asset as string);
        if (toUpper.signature) payload.payload.signature = shout(payload.payload.signature);
        authorization.value = '0'.repeat(zeros) + authorization.value;
        const text = JSON.stringify(shuffleKeys(payload, order), null, space);
        const header = Buffer.from(text).toString('base64');
        const reading = readV2(padded ? header : header.replace(/=+$/, ''));
        expect(paymentKey(paymentOf(reading))).to.equal(paymentKey(expected));
        expect(paymentOf(reading).signature).to.equal(expected.signature);
      }),
      { numRuns: 500 },
    );
  });

  it('takes v2 where both headers carry the same authorization, in whatever spelling', () => {
    const { payload } = decode(v2Header) as Payload;
    const v1 = (authorization: object) =>
      encode({ x402Version: 1, scheme: 'exact', network: 'base', payload: { ...payload, authorization } });
    const { authorization } = payload;
    const same = v1({ ...authorization, nonce: shout(authorization.nonce!), value: `0${authorization.value}` });
    expect(paymentOf(read({ paymentSignature: v2Header, xPayment: same })).version).to.equal(2);

    for (const field of Object.keys(authorization)) {
      const value = authorization[field]!;
      const other = v1({ ...authorization, [field]: value.replace(/.$/, (last) => (last === '1' ? '2' : '1')) });
      const reason = reasonOf(read({ paymentSignature: v2Header, xPayment: other }));
      expect(reason, field).to.contain('different authorizations');
    }
  });

  it('refuses two headers of which one cannot be read', () => {
    expect(reasonOf(read({ paymentSignature: v2Header, xPayment: 'e30=' }))).to.match(/^X-PAYMENT: /);
    expect(reasonOf(read({ paymentSignature: 'e30=', xPayment: v1Header }))).to.match(/^PAYMENT-SIGNATURE: /);
  });

  it('reads the payment identifier of the client and refuses one of the wrong form', () => {
    const withId = (id: unknown) =>
      changed(({ extensions }) => Object.assign(extensions['payment-identifier']!.info, { id }));
    expect(paymentOf(readV2(withId('pay_7d5d747be160e280'))).paymentIdentifier).to.equal('pay_7d5d747be160e280');
    for (const id of ['short', 'x'.repeat(129), 'with space in it 1', 7, null]) {
      expect(reasonOf(readV2(withId(id)))).to.contain('payment-identifier');
    }
  });

  it('refuses other schemes, networks and ways to transfer as unsupported', () => {
    const refused: [string, (payload: Payload) => void][] = [
      ['unsupported_scheme', ({ accepted }) => Object.assign(accepted, { scheme: 'upto' })],
      ['invalid_network', ({ accepted }) => Object.assign(accepted, { network: 'eip155:84532' })],
      ['unsupported', ({ accepted }) => Object.assign(accepted.extra, { assetTransferMethod: 'permit2' })],
      ['unsupported', ({ accepted }) => Object.assign(accepted.extra, { paymentFlow: 'upfront' })],
      [
        'unsupported',
        (payment) => Object.assign(payment, { payload: { signature: '0x00', permit2Authorization: {} } }),
      ],
    ];
    for (const [reason, change] of refused) expect(reasonOf(readV2(changed(change)))).to.contain(reason);
    for (const change of [{ network: 'base-sepolia' }, { network: 'eip155:84532' }, { scheme: 'upto' }]) {
      expect(reasonOf(readV1(encode({ ...decode(v1Header), ...change })))).to.match(/invalid_network|unsupported/);
    }
  });

  it('takes Base by the name of version 2 in version 1', () => {
    const named = encode({ ...decode(v1Header), network: 'eip155:8453' });
    expect(paymentOf(readV1(named))).to.deep.equal(paymentOf(readV1(v1Header)));
  });

  it('takes an ERC-6492 signature for the one inside, and leaves what is none as it is', () => {
    const signatureOf = (signature: string) => {
      const payment = paymentOf(readV2(changed(({ payload }) => Object.assign(payload, { signature }))));
      return [payment.signature, payment.isWrapped];
    };
    const wrapped = fc.record({ inner: hex(1, 1_200), data: hex(0, 400) });
    fc.assert(
      fc.property(wrapped, ({ inner, data }) => {
        const address = '0x00000000000000000000000000000000000fac70';
        const whole = serializeErc6492Signature({ address, data, signature: inner });
        expect(signatureOf(whole)).to.deep.equal([inner, true]);
        const cut = `0x${whole.slice(4)}`;
        expect(signatureOf(cut)[0]).to.be.oneOf([cut, inner]);
      }),
      { numRuns: 100 },
    );
    for (const words of ['', '00'.repeat(96), 'ff'.repeat(96), `${'00'.repeat(95)}60`, '00'.repeat(64)]) {
      const signature = `0x${words}${'6492'.repeat(16)}`;
      expect(signatureOf(signature)).to.deep.equal([signature, undefined]);
    }
  });

  it('takes a version from the header of the other, and knows that it came there', () => {
    const own = paymentOf(readV2(v2Header));
    expect(paymentOf(readV1(v2Header))).to.deep.equal({ ...own, otherPlaces: ['X-PAYMENT'] });
    const early = paymentOf(readV1(v1Header));
    expect(paymentOf(readV2(v1Header))).to.deep.equal({ ...early, otherPlaces: ['PAYMENT-SIGNATURE'] });
    expect(own).to.not.have.property('otherPlaces');
    expect(early).to.not.have.property('otherPlaces');
  });

  it('takes one payload that came in both headers as one payment', () => {
    for (const [header, version, place] of [
      [v2Header, 2, 'X-PAYMENT'],
      [v1Header, 1, 'PAYMENT-SIGNATURE'],
    ] as const) {
      const payment = paymentOf(read({ paymentSignature: header, xPayment: header }));
      expect(payment).to.deep.include({ version, otherPlaces: [place] });
    }
  });

  it('takes an empty header beside another one for none', () => {
    expect(read({ paymentSignature: v2Header, xPayment: '' })).to.deep.equal(readV2(v2Header));
    expect(read({ paymentSignature: '', xPayment: v1Header })).to.deep.equal(readV1(v1Header));
    expect(read({ paymentSignature: '', xPayment: '' })).to.have.property('kind', 'malformed');
  });

  it('refuses a payment whose two halves say different things', () => {
    for (const change of [
      { amount: '1' },
      { amount: '2e4' },
      { amount: '-20000' },
      { payTo: USDC },
      { payTo: 'nobody' },
    ]) {
      const reason = reasonOf(readV2(changed(({ accepted }) => Object.assign(accepted, change))));
      expect(reason).to.contain('invalid_payment_requirements');
    }
  });

  it('names the field that is wrong and never repeats what it holds', () => {
    const canary = 'canary';
    const bad: Record<string, readonly unknown[]> = {
      from: [canary, `0x${'g'.repeat(40)}`, 7, null],
      to: [canary, '0x'],
      value: [canary, '-1', '1.5', '1e4', '', '9'.repeat(78), '1'.repeat(79), 20_000, ' 1'],
      validAfter: [canary, '0x0'],
      validBefore: [canary, Number.MAX_SAFE_INTEGER],
      nonce: [canary, '0x12', `0x${'a'.repeat(63)}g`],
    };
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const header = changed(({ payload }) => Object.assign(payload.authorization, { [field]: value }));
        const reason = reasonOf(readV2(header));
        expect(reason).to.contain(`payload.authorization.${field} must`).and.not.contain(canary);
      }
    }
    for (const signature of [canary, '0x', '0x123', '0xzz', `0x${'ab'.repeat(4_097)}`, 5]) {
      const reason = reasonOf(readV2(changed(({ payload }) => Object.assign(payload, { signature }))));
      expect(reason).to.contain('payload.signature must').and.not.contain(canary);
    }
    expect(reasonOf(readV2(changed(({ payload }) => Object.assign(payload, { [canary]: 1 }))))).to.not.contain(canary);
    expect(reasonOf(readV2(changed(({ accepted }) => Object.assign(accepted, { asset: canary }))))).to.contain('asset');
  });

  it('takes a signature of up to 4 kB, for wallets that are contracts', () => {
    const signature = `0x${'ab'.repeat(4_096)}`;
    expect(paymentOf(readV2(changed(({ payload }) => Object.assign(payload, { signature })))).signature).to.equal(
      signature,
    );
  });

  it('does not look at a header that is too long, empty, doubled or not base64 of JSON', () => {
    const tooLong = encode('x'.repeat(PAYMENT_HEADER_BYTES_MAX));
    expect(reasonOf(readV2(tooLong))).to.contain('longer than 16384');
    for (const header of ['', '=', `${v2Header}, ${v2Header}`, `${v2Header}\n`, 'ä', '-_-_']) {
      expect(reasonOf(readV2(header))).to.contain('not base64');
    }
    for (const text of ['', '{', '{"x402Version":2', '\u0000', '[[[[', '\xff']) {
      const header = Buffer.from(text, 'latin1').toString('base64');
      expect(reasonOf(readV2(header || 'AA'))).to.contain('base64 of JSON');
    }
    const notUtf8 = Buffer.from(v2Header, 'base64');
    notUtf8[notUtf8.indexOf('A verdict.')] = 0xff;
    expect(reasonOf(readV2(notUtf8.toString('base64')))).to.contain('base64 of JSON');
    for (const value of [null, [], 1, 'x', {}, { x402Version: 2 }, { x402Version: '2' }, { x402Version: 3 }]) {
      expect(reasonOf(readV2(encode(value)))).to.contain('not an x402 v2 payment');
    }
    expect(reasonOf(readV2(Buffer.from('['.repeat(12_000)).toString('base64')))).to.contain('base64 of JSON');
  });

  it('has a name for whatever comes, and never throws', () => {
    const mutated = fc
      .tuple(fc.boolean(), fc.nat(), fc.string({ maxLength: 4 }))
      .map(([isV1, at, text]) => splice(isV1 ? v1Header : v2Header, at, text));
    const otherJson = fc.json().map((text) => Buffer.from(text).toString('base64'));
    const otherLeaf = fc.tuple(fc.boolean(), fc.nat(), fc.jsonValue()).map(([isV1, at, value]) => {
      const payload = decode(isV1 ? v1Header : v2Header);
      replaceLeaf(payload, at, value);
      return encode(payload);
    });
    const header = fc.oneof(fc.string(), fc.base64String(), otherJson, mutated, otherLeaf);
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(fc.option(header, { nil: undefined }), fc.option(header, { nil: undefined }), (first, second) => {
        const reading = read({ paymentSignature: first, xPayment: second });
        kinds.set(reading.kind, (kinds.get(reading.kind) ?? 0) + 1);
        if (reading.kind === 'payment') expectWellFormed(reading.payment);
        if (reading.kind === 'malformed') expect(reading.reason).to.match(/^[\x20-\x7e]{10,200}$/);
      }),
      { numRuns: COVERING_RUNS, examples: [[v2Header, undefined]] },
    );
    expect([...kinds.keys()].sort()).to.deep.equal(['malformed', 'none', 'payment']);
  });

  it('reads from _meta what it reads from a header, as an object and as base64, and names the place instead', () => {
    const changedLeaf = fc.tuple(fc.constantFrom(v1Header, v2Header), fc.nat(), fc.jsonValue());
    const payload = changedLeaf.map(([header, at, value]) => {
      const changed = decode(header);
      replaceLeaf(changed, at, value);
      return changed;
    });
    const long = fc.integer({ min: 12_270, max: 12_300 }).map((length) => ['é'.repeat(length / 2)]);
    const kinds = new Set<string>();
    const value = fc.oneof(payload, fc.jsonValue(), long).filter((one) => typeof one !== 'string');
    fc.assert(
      fc.property(value, (value) => {
        const inHeader = readV2(encode(value));
        kinds.add(inHeader.kind);
        const text = JSON.stringify(inHeader.kind === 'payment' ? unplaced(inHeader) : inHeader);
        const expected = JSON.parse(text.replace('"PAYMENT-SIGNATURE:', '"_meta[\\"x402/payment\\"]:'));
        for (const given of [value, encode(value)]) {
          expect(readPaymentMeta({ 'x402/payment': given }, USDC)).to.deep.equal(expected);
        }
      }),
      { numRuns: COVERING_RUNS },
    );
    expect([...kinds].sort()).to.deep.equal(['malformed', 'payment']);
    for (const nothing of [undefined, {}]) expect(readPaymentMeta(nothing, USDC)).to.deep.equal({ kind: 'none' });
  });

  it('takes the place in _meta that x402-mcp uses, and refuses different authorizations in the two', async () => {
    const own = paymentOf(readV1(v1Header));
    const dotted = { ...own, otherPlaces: ['x402.payment'] };
    expect(paymentOf(readPaymentMeta({ 'x402.payment': v1Header }, USDC))).to.deep.equal(dotted);
    const both = { 'x402.payment': v1Header, 'x402/payment': decode(v1Header) };
    expect(paymentOf(readPaymentMeta(both, USDC))).to.deep.equal(dotted);
    const different = readPaymentMeta({ 'x402.payment': v1Header, 'x402/payment': v2Header }, USDC);
    expect(reasonOf(different)).to.equal(
      'x402/payment and x402.payment carry different authorizations: send one of them',
    );
    const broken = readPaymentMeta({ 'x402.payment': 'e30=' }, USDC);
    expect(reasonOf(broken)).to.match(/^_meta\["x402\.payment"\]: is not an x402 v2 payment/);
  });
});

/** 0x and so many bytes. */
function hex(minLength: number, maxLength: number): fc.Arbitrary<`0x${string}`> {
  const bytes = fc.uint8Array({ minLength, maxLength });
  return bytes.map((all) => `0x${Buffer.from(all).toString('hex')}` as const);
}

function expectWellFormed({ authorization, asset, signature }: SignedPayment): void {
  for (const address of [authorization.from, authorization.to, asset]) expect(address).to.match(/^0x[0-9a-f]{40}$/);
  for (const number of [authorization.value, authorization.validAfter, authorization.validBefore]) {
    expect(BigInt(number) < 2n ** 256n).to.equal(true);
  }
  expect(authorization.nonce).to.match(/^0x[0-9a-f]{64}$/);
  expect(signature).to.match(/^0x([0-9a-fA-F]{2}){1,4096}$/);
}

/** Of _meta no place is that of one version alone. */
function unplaced({ payment: { otherPlaces: _, ...payment } }: Extract<PaymentReading, { kind: 'payment' }>) {
  return { kind: 'payment', payment };
}

/** Upper case, but for the x of 0x. */
function shout(hex: string): string {
  return `0x${hex.slice(2).toUpperCase()}`;
}

function shuffleKeys(value: unknown, order: Iterator<number>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => ({ key, inner, at: order.next().value as number }));
  entries.sort((a, b) => a.at - b.at);
  return Object.fromEntries(entries.map(({ key, inner }) => [key, shuffleKeys(inner, order)]));
}

function splice(text: string, at: number, insert: string): string {
  const place = at % text.length;
  return text.slice(0, place) + insert + text.slice(place + 1);
}

function replaceLeaf(payload: PaymentPayload, at: number, value: unknown): void {
  const leaves: [Json, string][] = [];
  const collect = (object: Json) => {
    for (const [key, inner] of Object.entries(object)) {
      leaves.push([object, key]);
      if (typeof inner === 'object' && inner !== null) collect(inner as Json);
    }
  };
  collect(payload as unknown as Json);
  const [object, key] = leaves[at % leaves.length]!;
  object[key] = value;
}

describe('the resource of a payment', () => {
  const SOLD = 'https://preflight.example/api/preflight_trade';
  const rows: readonly [named: string, same: boolean][] = [
    [SOLD, true],
    [`${SOLD}?slug=a&usd=25`, true],
    [`${SOLD}/`, true],
    [`${SOLD}/?slug=a#top`, true],
    ['HTTPS://Preflight.Example:443/api/preflight_trade', true],
    ['http://preflight.example/api/preflight_trade', false],
    ['https://preflight.example:8443/api/preflight_trade', false],
    ['https://evil.example/api/preflight_trade', false],
    ['https://preflight.example/api/leaderboard', false],
    ['https://preflight.example/api/preflight_trade/x', false],
    ['https://preflight.example/api/Preflight_Trade', false],
    ['https://evil.example/?https://preflight.example/api/preflight_trade', false],
    ['/api/preflight_trade', false],
    ['', false],
    ['preflight_trade', false],
  ];
  for (const [named, same] of rows) {
    it(`named ${JSON.stringify(named)} is ${same ? 'what is sold' : 'another'}`, () => {
      expect(isSameResource(named, SOLD)).to.equal(same);
    });
  }
});
