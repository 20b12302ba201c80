import { expect } from 'chai';
import { CreditsResponseSchema, RedeemResponseSchema } from '#api/credits';
import { parseWallet } from '#domain/ids';
import { nameOfCode } from '#services/credits/promo-names';
import { encodeHeader, signTransfer, toPaymentV1 } from '#test/support/payment-headers';
import { newAccount } from '#test/support/signed-payments';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { type Door, OWNER, openDoor, TERMS, WALLET } from './support/door.js';

describe('GET /api/credits', () => {
  let door: Door;
  before(async () => {
    door = await openDoor();
  });
  after(() => door.stop());

  const get = (authorization?: string, query = '') =>
    fetch(`${door.url}/api/credits${query}`, authorization === undefined ? {} : { headers: { authorization } });

  it('tells everybody the pack and the costs', async () => {
    const response = await get();
    expect(response.status).to.equal(200);
    expect(await response.json()).to.deep.equal({
      ok: true,
      pack: { usd: 5, credits: 500, valid_days: 365 },
      costs: { preflight_trade: 1, leaderboard: 1, red_list: 1, preflight_copy: 5 },
    });
  });

  it('adds the balance and its expiry for a valid token', async () => {
    const response = await get(`Bearer ${door.token}`);
    const body = CreditsResponseSchema.parse(await response.json());
    expect(body.balance).to.equal(500);
    const { expiresAtMs } = await door.credits.balanceOf(OWNER);
    expect(body.expires).to.equal(new Date(expiresAtMs!).toISOString());
    expect(await (await get(`bearer ${door.token}`)).json()).to.deep.equal(body);
  });

  it('answers a token that is not valid with 401 and no challenge', async () => {
    const [invalid, form] = [/invalid or expired/, /the form "Bearer <token>": send the word Bearer/];
    const rows: readonly [authorization: string, said: RegExp][] = [
      ['Bearer tk_nobody', invalid],
      [`Bearer tk_${WALLET}_${'A'.repeat(43)}`, invalid],
      [`tk_${WALLET}_${'A'.repeat(43)}`, form],
      ['Basic eDp5', form],
      ['Bearer', form],
      ['', form],
    ];
    for (const [authorization, said] of rows) {
      const response = await get(authorization);
      expect(response.status, authorization).to.equal(401);
      const body = (await response.json()) as { error: string };
      expect(body).to.include({ code: 'invalid_token' });
      expect(body.error)
        .to.match(said)
        .and.match(/POST \/api\/credits.*POST \/api\/redeem/);
      expect(response.headers.get('www-authenticate')).to.equal(null);
    }
  });

  it('takes no parameters', async () => {
    expect((await get(undefined, '?wallet=0x0')).status).to.equal(400);
  });
});

describe('POST /api/credits', () => {
  it('takes x402_probe=1 from the body as from the query: the payment beside it is not looked at', async () => {
    const door = await openDoor();
    const account = newAccount();
    const validBefore = String(Math.floor(Date.now() / 1e3) + 100);
    const transfer = {
      to: TERMS.payeeAddress,
      value: '5000000',
      validAfter: '0',
      validBefore,
      nonce: `0x${'7'.repeat(64)}`,
    };
    const payment = encodeHeader(toPaymentV1(await signTransfer(account, transfer)));
    const buy = async (query: string, body?: string) => {
      const headers = { 'X-PAYMENT': payment, 'Content-Type': 'application/json', 'Idempotency-Key': 'k'.repeat(20) };
      const answer = await fetch(`${door.url}/api/credits${query}`, { method: 'POST', headers, ...(body && { body }) });
      return ((await answer.json()) as { code: string }).code;
    };
    // The payments of this door are all refused: what gets so far was tried.
    const rows: readonly [query: string, body: string | undefined, code: string][] = [
      ['?x402_probe=1', undefined, 'payment_required'],
      ['', '{"x402_probe":1}', 'payment_required'],
      ['', '{"x402_probe":"1","usd":5}', 'payment_required'],
      ['?x402_probe=1', '{"usd":', 'payment_required'],
      ['', '{"x402_probe":2}', 'invalid_parameter'],
      ['?x402_probe=2', '{}', 'invalid_parameter'],
      ['', '{"sandbox":1}', 'invalid_parameter'],
      ['', '{"usd":5}', 'invalid_parameter'],
      ['?usd=5', undefined, 'invalid_parameter'],
      ['', '[]', 'malformed_request'],
      ['', undefined, 'payment_refused'],
      ['', '{}', 'payment_refused'],
      ['', '{"x402_probe":null}', 'payment_refused'],
    ];
    const codes: string[] = [];
    for (const [query, body] of rows) codes.push(await buy(query, body));
    await door.stop();
    expect(codes).to.deep.equal(rows.map(([, , code]) => code));
  });
});

describe('POST /api/credits with parameters', () => {
  it('is refused with the one that it takes: an example of it there is not', async () => {
    const door = await openDoor();
    const answer = await fetch(`${door.url}/api/credits?sandbox=1`, { method: 'POST' });
    const { error } = (await answer.json()) as { error: string };
    await door.stop();
    expect([answer.status, error]).to.deep.equal([
      400,
      'a purchase takes no parameters but x402_probe=1, which returns its terms: send the payment in PAYMENT-SIGNATURE',
    ]);
  });
});

describe('POST /api/redeem', () => {
  let door: Door;
  before(async () => {
    door = await openDoor();
    await door.credits.createPromo({ code: 'WELCOME', credits: 25, walletsMax: 2, days: 30 });
    await door.credits.createPromo({ code: 'REVOKED', credits: 25, walletsMax: 2, days: 30 });
    await door.credits.revokePromo('REVOKED');
  });
  after(() => door.stop());

  const wallet = (digit: string) => `0x${digit.repeat(40)}`;
  const post = (body: unknown, query = '') =>
    fetch(`${door.url}/api/redeem${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const expectProblem = async (response: Response, status: number, code: string) => {
    expect(response.status).to.equal(status);
    expect(await response.json()).to.include({ code });
  };

  it('gives a wallet credits and a token that works at once', async () => {
    const response = await post({ code: 'welcome', wallet: `0x${'A'.repeat(40)}` });
    expect(response.status).to.equal(200);
    const body = RedeemResponseSchema.parse(await response.json());
    expect(body).to.include({ wallet: wallet('a'), credits_added: 25, balance: 25 });
    const { expiresAtMs } = await door.credits.balanceOf({
      wallet: parseWallet(body.wallet)!,
      scope: 'promo',
      code: nameOfCode(CREDIT_SECRETS, 'WELCOME'),
    });
    expect(body.expires).to.equal(new Date(expiresAtMs!).toISOString());
    const spent = await door.order('slug=a', { Authorization: `Bearer ${body.token}` });
    expect(await spent.json())
      .to.have.property('paid')
      .deep.equal({ credits_used: 1, credits_remaining: 24 });
  });

  it('says what is the matter with a code', async () => {
    await expectProblem(await post({ code: 'NOSUCHCODE', wallet: wallet('b') }), 404, 'unknown_promo_code');
    await expectProblem(await post({ code: 'WELCOME', wallet: wallet('a') }), 409, 'promo_already_redeemed');
    await expectProblem(await post({ code: 'REVOKED', wallet: wallet('a') }), 410, 'promo_gone');
    expect((await post({ code: 'WELCOME', wallet: wallet('b') })).status).to.equal(200);
    await expectProblem(await post({ code: 'WELCOME', wallet: wallet('c') }), 410, 'promo_gone');
  });

  it('refuses a code or a wallet that is missing or malformed', async () => {
    for (const body of [
      {},
      { code: 'WELCOME' },
      { wallet: wallet('d') },
      { code: '', wallet: wallet('d') },
      { code: 'a'.repeat(65), wallet: wallet('d') },
      { code: 7, wallet: wallet('d') },
      { code: ['WELCOME'], wallet: wallet('d') },
      { code: 'WELCOME', wallet: '0x12' },
      { code: 'WELCOME', wallet: `0x${'g'.repeat(40)}` },
      { code: 'WELCOME', wallet: null },
      { code: 'WELCOME', wallet: wallet('d'), signature: '0x' },
    ]) {
      await expectProblem(await post(body), 400, 'invalid_parameter');
    }
    await expectProblem(
      await post({ code: 'WELCOME', wallet: wallet('d') }, '?code=WELCOME'),
      400,
      'invalid_parameter',
    );
    await expectProblem(await fetch(`${door.url}/api/redeem`, { method: 'POST' }), 400, 'invalid_parameter');
    await expectProblem(await post([]), 400, 'malformed_request');
  });

  it('lets a crowd redeem, and stops who guesses codes', async () => {
    await door.credits.createPromo({ code: 'CROWD', credits: 1, walletsMax: 40, days: 30 });
    const crowd = Array.from({ length: 60 }, (_, i) =>
      post({ code: 'CROWD', wallet: `0x${String(i).padStart(40, '0')}` }),
    );
    const statuses = (await Promise.all(crowd)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(40).fill(200), ...Array(20).fill(410)]);
    let guesses = 0;
    let response = await post({ code: 'GUESS0', wallet: wallet('e') });
    while (response.status === 404 && guesses < 100)
      response = await post({ code: `GUESS${++guesses}`, wallet: wallet('e') });
    expect(guesses).to.be.below(21);
    expect(Number(response.headers.get('retry-after'))).to.be.within(1, 60);
    await expectProblem(response, 429, 'rate_limited');
  });

  it('limits nothing else', async () => {
    expect((await fetch(`${door.url}/api/preflight_trade?sandbox=1`)).status).to.equal(200);
    expect((await door.order('slug=a')).status).to.equal(200);
  });
});
