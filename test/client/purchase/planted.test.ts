import { expect } from 'chai';
import { memoryState, Preflight, type Purchase } from '#client/index';
import { requestIdOf } from '#client/purchase/request-id';
import type { X402Purchase } from '#client/state/purchase';
import { clientSystem } from '#client/system';
import { GuardrailRefused } from '#client/terms/errors';
import {
  answer,
  HONEST_PAYEE,
  type HostileServer,
  startHostileServer,
  THIEF,
} from '#test/client/support/hostile-server';
import { hurried } from '#test/client/support/hurried';
import { watchedAccount } from '#test/client/support/watched-account';
import { type LoopbackServer, startLoopbackServer } from '#test/support/loopback-server';

type Planted = { purchase: Purchase; lane: X402Purchase };
type Change = (planted: Planted, elsewhere: string) => Purchase;

const order = { slug: 'a-market', usd: 25 };
const NINE_YEARS_S = 300_000_000;
const SIGNATURE = `0x${'11'.repeat(65)}`;

const lane =
  (change: (lane: X402Purchase) => object): Change =>
  ({ purchase, lane }) => ({ ...purchase, lane: { ...lane, ...change(lane) } as X402Purchase });
const authorization = (change: object): Change =>
  lane(({ authorization }) => ({ authorization: { ...authorization, ...change } }));

/** What somebody may write into the state of a client, and the rule that refuses it. */
const ROWS: readonly (readonly [what: string, rule: string, change: Change])[] = [
  [
    'pays a thief, for years, all that a day may cost',
    'payee_mismatch',
    lane(({ demand, authorization }) => ({
      demand: { ...demand, payTo: THIEF, amount: '2000000' },
      authorization: {
        ...authorization,
        to: THIEF,
        value: '2000000',
        validBefore: String(Math.floor(Date.now() / 1e3) + NINE_YEARS_S),
      },
    })),
  ],
  ['pays another than its demand', 'purchase_mismatch', authorization({ to: THIEF })],
  ['pays more than its demand', 'purchase_mismatch', authorization({ value: '2000000' })],
  [
    'demands more than is published',
    'amount_not_published',
    lane(({ demand, authorization }) => ({
      demand: { ...demand, amount: '90000' },
      authorization: { ...authorization, value: '90000' },
    })),
  ],
  ['pays from another wallet', 'purchase_mismatch', authorization({ from: THIEF })],
  ['is good for years', 'authorization_lifetime', authorization({ validBefore: '2000000000' })],
  ['is good for ever', 'authorization_lifetime', authorization({ validBefore: '9'.repeat(70) })],
  ['is good later', 'purchase_mismatch', authorization({ validAfter: '1' })],
  ['has a nonce that is none', 'purchase_mismatch', authorization({ nonce: '0x' })],
  [
    'is sent elsewhere',
    'purchase_mismatch',
    ({ purchase }, elsewhere) => ({
      ...purchase,
      request: { ...purchase.request, url: `${elsewhere}/api/preflight_trade` },
    }),
  ],
  [
    'asks something else',
    'purchase_mismatch',
    ({ purchase }) => ({ ...purchase, request: { ...purchase.request, url: `${purchase.request.url}1` } }),
  ],
  [
    'is sent by another door',
    'purchase_mismatch',
    ({ purchase }) => ({ ...purchase, request: { ...purchase.request, door: 'mcp', body: '{}' } }),
  ],
  ['has no terms', 'purchase_mismatch', lane(() => ({ demand: undefined }))],
];

describe('a purchase that somebody else wrote into the state', () => {
  let server: HostileServer;
  let elsewhere: LoopbackServer;
  let seen: number;
  beforeEach(async () => {
    server = await startHostileServer({}, 'v2');
    elsewhere = await startLoopbackServer();
    seen = 0;
    elsewhere.answer((_, response) => {
      seen++;
      response.end('{}');
    });
  });
  afterEach(async () => {
    await server.close();
    await elsewhere.close();
  });

  /** An honest purchase that stands, changed. */
  async function planted(change: Change, signature: string | null) {
    const { account, signed } = watchedAccount();
    const state = memoryState(clientSystem.clock);
    const stop = () => Promise.reject(new Error('not now'));
    const first = new Preflight({
      baseUrl: server.url,
      account: { ...account, signTypedData: stop },
      ledger: state,
      system: hurried(50),
    });
    await first.verdict(order).catch(() => {});
    const [honest] = (await first.spending()).open;
    const lane = { ...(honest!.lane as X402Purchase), signature };
    await state.journal.save(change({ purchase: { ...honest!, lane }, lane }, elsewhere.baseUrl));
    const preflight = new Preflight({ baseUrl: server.url, account, ledger: state, system: hurried(50) });
    const call = () => preflight.verdict(order, { deadlineMs: 2_000 }).catch((error) => error);
    return { signed, call, preflight };
  }

  for (const [what, rule, change] of ROWS) {
    it(`is refused by ${rule} when it ${what}, and then put away`, async () => {
      const { signed, call, preflight } = await planted(change, null);
      expect(await call())
        .to.be.an.instanceOf(GuardrailRefused)
        .and.include({ rule, charged: 'nothing' });
      expect([signed.length, server.seen.paid, seen]).to.deep.equal([0, 0, 0]);
      expect((await preflight.spending()).open).to.deep.equal([]);
      expect((await call()).body).to.include({ verdict: 'OK' });
      expect(signed.map(({ message }) => [message.to, message.value])).to.deep.equal([[HONEST_PAYEE, 20_000n]]);
    });

    it(`is not sent when it ${what} and has a signature, and nothing is signed beside it`, async () => {
      const { signed, call, preflight } = await planted(change, SIGNATURE);
      expect(await call())
        .to.include({ rule, charged: 'unknown' })
        .and.to.have.property('purchaseId');
      expect([signed.length, server.seen.paid, seen]).to.deep.equal([0, 0, 0]);
      expect((await preflight.spending()).open).to.have.length(1);
    });
  }

  it('is not what goes on when the service publishes another price by now', async () => {
    const dearer = (text: string) => text.replace('| `preflight_trade` | 0.02 |', '| `preflight_trade` | 0.03 |');
    await server.close();
    let isDearer = false;
    server = await startHostileServer({ llms: (text) => (isDearer ? dearer(text) : text) }, 'v2');
    const { signed, call } = await planted(({ purchase }) => purchase, null);
    isDearer = true;
    expect(await call()).to.include({ rule: 'amount_not_published', charged: 'nothing' });
    expect(signed).to.have.length(0);
  });

  it('does not make the caps wider', async () => {
    const { account, signed } = watchedAccount();
    const state = memoryState(clientSystem.clock);
    const full = { ...state, ledger: { ...state.ledger, claim: async () => ({ kind: 'over', spent: 200 }) as const } };
    const { preflight } = await planted(({ purchase }) => purchase, null);
    const [open] = (await preflight.spending()).open;
    await state.journal.save({
      ...open!,
      payer: account.address.toLowerCase(),
      lane: {
        ...(open!.lane as X402Purchase),
        signature: SIGNATURE,
        authorization: { ...(open!.lane as X402Purchase).authorization, from: account.address.toLowerCase() as never },
      },
    });
    const capped = new Preflight({ baseUrl: server.url, account, ledger: full });
    const error = await capped.verdict(order).catch((caught) => caught);
    expect(error).to.include({ rule: 'daily_cap', charged: 'unknown' });
    expect([signed.length, server.seen.paid]).to.deep.equal([0, 0]);
  });

  it('gets no token that spends credits, and no secret of it', async () => {
    const { account } = watchedAccount();
    const wallet = account.address.toLowerCase();
    const state = memoryState(clientSystem.clock);
    const url = `${server.url}/api/preflight_trade?slug=a-market&usd=25`;
    const purchase: Purchase = {
      version: 1,
      id: '0'.repeat(32),
      payer: wallet,
      requestId: await requestIdOf('credits', 'GET', url, null),
      request: { method: 'GET', url: `${elsewhere.baseUrl}/api/preflight_trade`, body: null },
      begunAtMs: Date.now(),
      lane: { kind: 'credits', idempotencyKey: '0'.repeat(32) },
    };
    await state.journal.begin(purchase);
    const preflight = new Preflight({ baseUrl: server.url, token: `tk_${wallet}_secret`, ledger: state });
    const error = await preflight.verdict(order).catch((caught) => caught);
    expect(error).to.include({ rule: 'purchase_mismatch', charged: 'nothing' });
    expect(seen).to.equal(0);
  });
});

describe('a no of the service after a payment', () => {
  let server: HostileServer;
  afterEach(() => server.close());

  for (const status of [402, 400, 404, 409]) {
    it(`of ${status} is its word: what was signed may be charged until it is over, and nothing else is signed`, async () => {
      let nowMs = Date.now();
      server = await startHostileServer(
        {
          paid(response, again) {
            if (status === 402) return again();
            response.statusCode = status;
            return answer(response, 'v2', { error: 'no', code: 'unknown_market' });
          },
        },
        'v2',
      );
      const { account, signed } = watchedAccount();
      const system = { ...hurried(50), clock: { ...clientSystem.clock, nowMs: () => nowMs } };
      const preflight = new Preflight({ baseUrl: server.url, account, system });
      const call = () => preflight.verdict(order).catch((error) => error);
      expect(await call()).to.include({ charged: 'unknown', name: status === 402 ? 'NotPaid' : 'Problem' });
      expect(await call()).to.include({ charged: 'unknown' });
      expect((await call()).next).to.match(/may be until \d{4}-\d\d-\d\dT.*resumes purchase [0-9a-f]{32}/);
      expect([signed.length, server.seen.paid]).to.deep.equal([1, 3]);
      nowMs += 181_000;
      await call();
      expect(signed).to.have.length(2);
      expect((await preflight.spending()).open).to.have.length(1);
    });
  }
});
