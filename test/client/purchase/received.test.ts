import { expect } from 'chai';
import { memoryState, type OutcomeUnknown, Preflight } from '#client/index';
import { clientSystem } from '#client/system';
import { answer, type HostileServer, startHostileServer, type Trick } from '#test/client/support/hostile-server';
import { watchedAccount } from '#test/client/support/watched-account';
import { ManualClock } from '#test/support/manual-clock';

const ORDER = { slug: 'a-market', side: 'BUY', usd: 25 } as const;
const WALLET = '0x1111111111111111111111111111111111111111';
const OTHER = '0x2222222222222222222222222222222222222222';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const verdict = {
  ok: true,
  verdict: 'OK',
  order: { side: 'BUY', usd: 25 },
  market: { slug: 'a-market', token_id: '7' },
};
const rating = { ok: true, verdict: 'COPY', wallet: WALLET, next_refresh_at: '2099-01-01T00:00:00Z' };
const pack = { ok: true, token: `tk_${WALLET}_secret`, wallet: WALLET, credits_added: 500 };

describe('an answer that was paid for', () => {
  let server: HostileServer;
  afterEach(() => server.close());

  /** Answers the first payment with one body, and later ones with another. */
  const first = (body: object, then: object): Trick => {
    let paid = 0;
    return { paid: (response) => answer(response, 'v2', paid++ === 0 ? body : then) };
  };
  const start = async (trick: Trick) => {
    server = await startHostileServer(trick, 'v2');
    const { account, signed } = watchedAccount();
    const clock = new ManualClock(Date.now());
    const timers = { ...clientSystem.timers, sleep: async (ms: number) => clock.advance(ms) };
    const system = { ...clientSystem, clock, timers };
    const preflight = new Preflight({ baseUrl: server.url, account, ledger: memoryState(clock), system });
    return { preflight, signed, clock };
  };

  type Call = (preflight: Preflight) => Promise<unknown>;
  const ask: Call = (preflight) => preflight.verdict(ORDER);
  const askToken: Call = (preflight) => preflight.verdict({ token_id: '7', side: 'BUY', usd: 25 });
  const copy: Call = (preflight) => preflight.copy(WALLET);
  const others: readonly [what: string, call: Call, found: object, right: object][] = [
    ['a page of somebody else', ask, { status: 'maintenance' }, verdict],
    ['a page that is ok', ask, { ok: true, status: 'maintenance' }, verdict],
    ['a verdict on the other side', ask, { ...verdict, order: { side: 'SELL', usd: 25 } }, verdict],
    ['a verdict on another size', ask, { ...verdict, order: { side: 'BUY', usd: 1 } }, verdict],
    ['a verdict on another outcome', askToken, { ...verdict, market: { token_id: '8' } }, verdict],
    ['a page in the place of a rating', copy, { ok: true }, rating],
    ['the rating of another wallet', copy, { ...rating, wallet: OTHER }, rating],
    ['a page in the place of a list', (preflight) => preflight.leaderboard(), { ok: true }, { ok: true, wallets: [] }],
    ['a page in the place of a pack', (preflight) => preflight.credits.buy(), { ok: true }, pack],
  ];
  for (const [what, call, found, right] of others) {
    it(`is not ${what}: the same call goes on with the same payment`, async () => {
      const { preflight, signed } = await start(first(found, right));
      const error: OutcomeUnknown = await call(preflight).then(
        () => expect.fail('it was taken for the answer'),
        (caught) => caught,
      );
      expect(error).to.include({ name: 'OutcomeUnknown', charged: 'unknown' });
      expect((await preflight.spending()).open.map(({ id }) => id)).to.deep.equal([error.purchaseId]);
      expect(await call(preflight)).to.deep.include({ body: right });
      expect([signed.length, (await preflight.spending()).open]).to.deep.equal([1, []]);
    });
  }

  it('is asked for in any letters, and found all the same', async () => {
    const mixed = { ...rating, wallet: `0x${'aB'.repeat(20)}` };
    const { preflight, signed } = await start(first(mixed, mixed));
    await preflight.copy(`0x${'Ab'.repeat(20)}`);
    expect([signed.length, (await preflight.spending()).open]).to.deep.equal([1, []]);
  });

  const calls: readonly [what: string, call: (preflight: Preflight, onAnswer: () => void) => Promise<unknown>][] = [
    ['a verdict', (preflight, onAnswer) => preflight.verdict(ORDER, { onAnswer })],
    ['a pack', (preflight, onAnswer) => preflight.credits.buy({ onAnswer })],
  ];
  for (const [what, call] of calls) {
    it(`stays to be had until ${what} is where it belongs`, async () => {
      const { preflight, signed } = await start(first({ ...verdict, ...pack }, { ...verdict, ...pack }));
      const lost = await call(preflight, () => {
        throw new Error('the disk is full');
      }).catch((caught) => caught);
      expect(lost).to.be.an('error').that.has.property('message').that.includes('the disk is full');
      expect((await preflight.spending()).open).to.have.length(1);
      let received = 0;
      await call(preflight, () => void received++);
      expect([received, signed.length, (await preflight.spending()).open]).to.deep.equal([1, 1, []]);
    });
  }

  it('is a rating that was stored before its purchase ended: a repeat of it stands like the first', async () => {
    const { preflight, signed } = await start({
      paid(response) {
        response.setHeader('idempotent-replayed', 'true');
        answer(response, 'v2', rating);
      },
    });
    for (const cached of [false, true]) expect(await preflight.copy(WALLET)).to.include({ stale: false, cached });
    expect(signed).to.have.length(1);
  });

  it('is waited for with one payment, also by a fresh purchase', async () => {
    let paid = 0;
    const { preflight, signed } = await start({
      paid(response) {
        const isQueued = paid++ < 4;
        response.statusCode = isQueued ? 202 : 200;
        answer(response, 'v2', isQueued ? { ok: true, verdict: 'QUEUED', wallet: WALLET } : rating);
      },
    });
    await preflight.copy(WALLET, { wait: true, fresh: true });
    expect([paid, signed.length]).to.deep.equal([5, 1]);
  });

  it('is a pack for a day: its payment is long over, and is sent again and not made again', async () => {
    let isLost = true;
    const trick: Trick = { paid: (response) => (isLost ? void response.destroy() : answer(response, 'v2', pack)) };
    const { preflight, signed, clock } = await start(trick);
    const buy = () => preflight.credits.buy().catch((caught) => caught);
    expect(await buy()).to.include({ name: 'OutcomeUnknown' });
    clock.advance(DAY_MS - 10 * MINUTE_MS);
    isLost = false;
    expect(await buy()).to.deep.include({ body: pack });
    expect([signed.length, (await preflight.spending()).open]).to.deep.equal([1, []]);
  });

  it('is no pack that the service knows nothing of, once its payment is over', async () => {
    let says: (response: Parameters<NonNullable<Trick['paid']>>[0], again: () => void) => void = (response) =>
      void response.destroy();
    const { preflight, signed, clock } = await start({ paid: (response, again) => says(response, again) });
    const buy = () => preflight.credits.buy().catch((caught) => caught);
    expect(await buy()).to.include({ name: 'OutcomeUnknown' });
    clock.advance(10 * MINUTE_MS);
    says = (_, again) => again();
    const refused = await buy();
    expect(refused).to.include({ name: 'NotPaid', charged: 'unknown' });
    expect(refused.message).to.include('the same call starts another purchase');
    expect((await preflight.spending()).open).to.deep.equal([]);
    expect(signed).to.have.length(1);
  });
});
