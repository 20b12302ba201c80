import { expect } from 'chai';
import { type PaidProduct, paymentOffer } from '#api/operations';
import { readDemands } from '#client/terms/demand';
import { DEFAULT_LIMITS } from '#client/terms/limits';
import { PACK, type PublishedTerms, readPublishedTerms } from '#client/terms/published-terms';
import type { GuardrailRule } from '#client/terms/rules';
import { type Intent, termsFault } from '#client/terms/terms';
import { discoveryFiles } from '#discovery/discovery-files';
import { USDC_ON_BASE } from '#domain/payment/payment';
import { ONE_KEY } from '#test/support/discovery';
import { paymentRequiredHeaders, toPaymentRequired, toPaymentRequiredV1 } from '#wire/x402/x402';

const terms = {
  baseUrl: 'https://preflight.example',
  payeeAddress: '0x1111111111111111111111111111111111111111',
  usdcAddress: USDC_ON_BASE,
};
const llms = discoveryFiles({
  ...terms,
  supportEmail: 'a@preflight.example',
  evidenceKeys: ONE_KEY,
  clientIntegrity: null,
}).find(({ path }) => path === '/llms.txt')!;
const published = readPublishedTerms(llms.body) as PublishedTerms;
const offer = (product: PaidProduct) => paymentOffer(product, terms);
const intent: Intent = {
  operation: 'preflight_trade',
  url: `${terms.baseUrl}/api/preflight_trade?usd=5`,
};
const pack: Intent = { operation: PACK, url: `${terms.baseUrl}/api/credits`, packConsent: true };

/**
 * The demand of a tool in both versions, as the service writes it, with members of its entry
 * replaced.
 */
function demands(product: PaidProduct, entry: object = {}, resourceUrl?: string) {
  const received = { ...offer(product), ...(resourceUrl === undefined ? {} : { resourceUrl }) };
  const v2 = toPaymentRequired(received, 'pay');
  const v1 = toPaymentRequiredV1(received, 'pay');
  const header = { ...v2, accepts: [{ ...v2.accepts[0], ...entry }] };
  const body = { ...v1, accepts: [{ ...v1.accepts[0], ...entry }] };
  return [
    readDemands({ header: Buffer.from(JSON.stringify(header)).toString('base64'), body: '{}' })[0]!,
    readDemands({ header: null, body: JSON.stringify(body) })[0]!,
  ];
}

describe('terms check', () => {
  it('reads the terms that the service publishes', () => {
    expect(published).to.deep.include({ baseUrl: terms.baseUrl, network: 'eip155:8453', payTo: terms.payeeAddress });
    expect(Object.fromEntries(published.prices)).to.deep.equal({
      preflight_trade: 20_000n,
      leaderboard: 20_000n,
      red_list: 20_000n,
      preflight_copy: 100_000n,
      [PACK]: 5_000_000n,
    });
  });

  it('finds no fault in what the service itself demands, in both versions', () => {
    const header = paymentRequiredHeaders(offer('preflight_trade'), 'pay')('secret-of-the-terms');
    expect(readDemands({ header, body: '' })).to.have.length(1);
    for (const product of ['preflight_trade', 'leaderboard', 'red_list', 'preflight_copy'] as const) {
      const url = `${terms.baseUrl}/api/${product}`;
      for (const demand of demands(product)) {
        expect(termsFault(published, { operation: product, url }, demand, DEFAULT_LIMITS), product).to.equal(null);
      }
    }
    for (const demand of demands('credits')) expect(termsFault(published, pack, demand, DEFAULT_LIMITS)).to.equal(null);
  });

  const stranger = `0x${'66'.repeat(20)}`;
  const CHANGED: Readonly<Record<string, readonly [GuardrailRule, object]>> = {
    'another scheme': ['scheme_unsupported', { scheme: 'upto' }],
    'a way of paying that is not eip3009': ['scheme_unsupported', { extra: { assetTransferMethod: 'permit2' } }],
    'a payment before the work': ['scheme_unsupported', { extra: { paymentFlow: 'upfront' } }],
    'another network': ['network_mismatch', { network: 'eip155:1' }],
    'a test network': ['network_mismatch', { network: 'base-sepolia' }],
    'another token': ['asset_mismatch', { asset: stranger }],
    'another signing domain': ['asset_mismatch', { extra: { name: 'Dai', version: '2' } }],
    'another payee': ['payee_mismatch', { payTo: stranger }],
    'one unit more': ['amount_not_published', { amount: '20001', maxAmountRequired: '20001' }],
    'one unit less': ['amount_not_published', { amount: '19999', maxAmountRequired: '19999' }],
    'USD for units': ['amount_not_published', { amount: '0.02', maxAmountRequired: '0.02' }],
    'an exponent': ['amount_not_published', { amount: '2e4', maxAmountRequired: '2e4' }],
    'a negative amount': ['amount_not_published', { amount: '-20000', maxAmountRequired: '-20000' }],
    'the price of the pack': ['pack_needs_consent', { amount: '5000000', maxAmountRequired: '5000000' }],
    'an open hour': ['authorization_lifetime', { maxTimeoutSeconds: 3_600 }],
    'no time at all': ['authorization_lifetime', { maxTimeoutSeconds: 0 }],
  };
  for (const [name, [rule, entry]] of Object.entries(CHANGED)) {
    it(`refuses ${name} by ${rule}`, () => {
      for (const demand of demands('preflight_trade', entry)) {
        const fault = termsFault(published, intent, demand, DEFAULT_LIMITS)!;
        expect(fault.rule, `version ${demand.version}`).to.equal(rule);
        expect(fault.expected).to.not.equal(fault.found);
      }
    });
  }

  it('refuses another resource, one of another origin, and none', () => {
    for (const url of [`${terms.baseUrl}/api/leaderboard`, 'https://preflight.example.evil.test/api/preflight_trade']) {
      for (const demand of demands('preflight_trade', { resource: url }, url)) {
        expect(termsFault(published, intent, demand, DEFAULT_LIMITS)!.rule).to.equal('resource_mismatch');
      }
    }
    const [v2] = demands('preflight_trade');
    expect(termsFault(published, intent, { ...v2!, resourceUrl: null }, DEFAULT_LIMITS)!.rule).to.equal(
      'resource_mismatch',
    );
  });

  it('refuses a price above the cap per call even if it is published', () => {
    const prices = new Map([...published.prices, ['preflight_trade', 150_000n]]);
    const [demand] = demands('preflight_trade', { amount: '150000' });
    expect(termsFault({ ...published, prices }, intent, demand!, DEFAULT_LIMITS)!.rule).to.equal('per_call_cap');
    const wider = { ...DEFAULT_LIMITS, perCallMicros: 150_000n };
    expect(termsFault({ ...published, prices }, intent, demand!, wider)).to.equal(null);
  });

  it('refuses the pack unless it is bought by name, and any amount for what is free', () => {
    const [demand] = demands('credits');
    const { packConsent: _, ...silent } = pack;
    expect(termsFault(published, silent, demand!, DEFAULT_LIMITS)!.rule).to.equal('pack_needs_consent');
    const [small] = demands('preflight_trade');
    const free = { operation: 'status', url: `${terms.baseUrl}/api/preflight_trade` };
    expect(termsFault(published, free, small!, DEFAULT_LIMITS)!.rule).to.equal('amount_not_published');
  });

  it('reads nothing from a demand that is not one, however it is broken', () => {
    const broken = [
      '',
      'x',
      '[]',
      '{"x402Version":2}',
      '{"x402Version":1,"accepts":[{}]}',
      '{"x402Version":1,"accepts":1}',
    ];
    for (const body of broken) expect(readDemands({ header: null, body })).to.deep.equal([]);
    expect(readDemands({ header: '%%%', body: '' })).to.deep.equal([]);
  });
});
