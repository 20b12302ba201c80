import { expect } from 'chai';
import { docOf } from '#api/errors';
import { OPERATIONS, paymentOffer } from '#api/operations';
import { paymentRequiredHeaders, toPaymentRequiredV1 } from '#wire/x402/x402';
import { BODY_BYTES_MAX, createAnswerRecorder } from './answer-recorder.js';
import { breachesOf } from './answer-rules.js';
import { CONFIG } from './discovery.js';

const COMMON = { 'x-api-version': '2026-07-14', 'x-request-id': 'r1', 'content-type': 'application/json' };
const EXAMPLE = JSON.parse(OPERATIONS.preflight_trade.exampleBody);
const TRADE = '/api/preflight_trade';
const offer = paymentOffer('preflight_trade', CONFIG);
const TERMS = { ...toPaymentRequiredV1(offer, 'pay'), code: 'payment_required', doc: docOf('payment_required') };
const DEMAND = { 'PAYMENT-REQUIRED': paymentRequiredHeaders(offer, 'pay')('secret-of-the-terms') };
const dearer = paymentRequiredHeaders({ ...offer, amountMicros: 1n }, 'pay')('secret-of-the-terms');

interface Answered {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function judge({ method = 'GET', path = TRADE, status = 200, body = EXAMPLE, headers = {} }: Answered) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return breachesOf({ method, path, status, text, headers: new Headers({ ...COMMON, ...headers }) });
}

const error = (code: string) => ({ error: 'this is wrong', code, doc: `/llms.txt#${code}` });

const RIGHT: Readonly<Record<string, Answered>> = {
  'the example': {},
  'an error of a described code': { status: 400, body: error('unknown_market') },
  'a demand in both forms': { status: 402, body: TERMS, headers: DEMAND },
  'a path that does not exist': { path: '/nowhere', status: 404, body: error('not_found') },
  'a method that is not taken': {
    method: 'PUT',
    status: 405,
    body: error('method_not_allowed'),
    headers: { allow: 'GET' },
  },
  'a HEAD of what can only be posted': {
    path: '/api/redeem',
    method: 'HEAD',
    status: 405,
    body: '',
    headers: { allow: 'GET' },
  },
  'a HEAD of a document': {
    method: 'HEAD',
    path: '/llms.txt',
    body: '',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  },
  'a document that is not sent again': { path: '/llms.txt', status: 304, body: '' },
};

const WRONG: Readonly<Record<string, [Answered, RegExp]>> = {
  'a body that lacks a member': [{ body: { ...EXAMPLE, verdict: undefined } }, /'verdict'/],
  'a body that is not JSON': [{ body: '<html>' }, /not JSON/],
  'another media type': [{ headers: { 'content-type': 'text/html' } }, /text\/html is not described/],
  'no version': [{ headers: { 'x-api-version': 'two' } }, /X-API-Version/],
  'a status that is not described': [{ status: 418 }, /status is not described/],
  'a code that is not described': [{ status: 400, body: error('promo_gone') }, /promo_gone is not described/],
  'a header that is not described': [
    { status: 400, body: error('unknown_market'), headers: DEMAND },
    /PAYMENT-REQUIRED is not described/,
  ],
  'a wait that is no number': [
    { status: 500, body: error('venue_unavailable'), headers: { 'retry-after': 'soon' } },
    /Retry-After/,
  ],
  'QUEUED without a time to come again': [
    { path: '/api/preflight_copy', status: 202, body: {} },
    /no header Retry-After/,
  ],
  'a demand in one form': [{ status: 402, body: TERMS }, /no header PAYMENT-REQUIRED/],
  'forms that differ': [{ status: 402, body: TERMS, headers: { 'PAYMENT-REQUIRED': dearer } }, /two forms .* differ/],
  'another price': [
    {
      status: 402,
      body: { ...TERMS, accepts: [{ ...TERMS.accepts[0], maxAmountRequired: '1' }] },
      headers: { 'PAYMENT-REQUIRED': dearer },
    },
    /the price is 20000, not 1/,
  ],
  'a HEAD with a status that GET has not': [{ method: 'HEAD', status: 405, body: '' }, /status is not described/],
  'an answer where nothing is': [{ path: '/nowhere' }, /is 404, not 200/],
  'a refusal without what is allowed': [
    { method: 'PUT', status: 405, body: error('method_not_allowed') },
    /no Allow header/,
  ],
};

describe('the comparison of answers with /openapi.json', () => {
  for (const [name, answered] of Object.entries(RIGHT)) {
    it(`passes ${name}`, () => expect(judge(answered)).to.deep.equal([]));
  }
  for (const [name, [answered, says]] of Object.entries(WRONG)) {
    it(`finds ${name}`, () => expect(judge(answered).join('; ')).to.match(says));
  }
});

describe('the recorder of answers', () => {
  const URL_ = 'http://service.test/api/preflight_trade';
  const recorderOf = (make: () => Response) =>
    createAnswerRecorder(
      async () => make(),
      async () => breachesOf,
    );

  it('hands on the answer as it came, and tells each breach once', async () => {
    const recorder = recorderOf(() => new Response('{"ok":true}', { headers: COMMON }));
    for (let n = 0; n < 3; n++) expect(await (await recorder.fetch(URL_)).text()).to.equal('{"ok":true}');
    const { compared, breaches } = await recorder.report();
    expect(compared).to.equal(3);
    expect(breaches).to.have.length(1);
    expect(breaches[0]).to.match(/^GET \/api\/preflight_trade 200: .*'verdict'.* \(3 times\)$/);
  });

  it('leaves alone what others answer, and what is too long or cut off', async () => {
    const cut = new ReadableStream({ start: (controller) => controller.error(new Error('killed')) });
    const long = { ...COMMON, 'content-length': String(BODY_BYTES_MAX + 1) };
    const answers = [
      new Response('hello'),
      new Response('{}', { headers: long }),
      new Response(cut, { headers: COMMON }),
    ];
    const recorder = recorderOf(() => answers.shift()!);
    for (let n = answers.length; n > 0; n--) await recorder.fetch(URL_, { method: 'POST' });
    expect(await recorder.report()).to.deep.equal({ compared: 0, passedOver: 2, breaches: [] });
  });
});
