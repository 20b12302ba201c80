import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { addAdminCommands } from '#cli/admin/admin';
import { openCredits } from '#compose/credits';
import { paymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import type { Credits } from '#services/credits/credits';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { bearerOf, request } from '#test/server/services/support/credits-home';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { runCommandHere } from './support/run-here.js';

const WALLET = walletNumber(0xabc);
const OTHER = walletNumber(0xdef);
const TX = `0x${'7a'.repeat(32)}`;
const COLUMNS_MAX = 100;

describe('an operator who is asked about money', function () {
  this.timeout(PROCESS_TEST_MS);
  let fixture: Awaited<ReturnType<typeof makeLmdbFixture>>;
  let credits: Credits;
  let store: Store;

  beforeEach(async () => {
    fixture = await makeLmdbFixture();
    ({ credits, store } = openCredits(fixture.dataDir));
  });
  afterEach(async () => {
    await store.close();
    await fixture.remove();
  });

  const run = (command: string) => {
    const location = command.includes('--data-dir') ? '' : ` --data-dir ${fixture.dataDir}`;
    return runCommandHere(addAdminCommands, `admin ${command}${location}`);
  };

  /**
   * Answers a question in both forms: the object for scripts, and lines for people, which fit a
   * terminal.
   */
  async function ask(command: string): Promise<{ readonly json: Record<string, unknown>; readonly text: string }> {
    const forScripts = await run(`${command} --json`);
    const forPeople = await run(command);
    expect([forScripts.exitCode, forPeople.exitCode], forScripts.stderr).to.deep.equal([0, 0]);
    return { json: JSON.parse(forScripts.stdout) as Record<string, unknown>, text: forPeople.stdout };
  }
  const expectToFit = (text: string) =>
    expect(text.split('\n').filter((line) => line.length > COLUMNS_MAX)).to.deep.equal([]);

  async function pay(n: number, facts: Partial<PaymentRow>, from = WALLET): Promise<PaymentRow> {
    const payment = samplePayment(n, facts, from);
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
    return payment;
  }

  it('sees what a wallet has, where it came from and until when, and its tokens without their secrets', async () => {
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 2, days: 1 });
    const { token } = await credits.grant(WALLET, 10, 30, 'a long note about the reason of this grant');
    await credits.redeem('SPRING', WALLET);
    const { json, text } = await ask(`wallet show ${WALLET}`);
    expect(json).to.deep.include({ ok: true, wallet: WALLET, balance: 15, to_be_answered: 0 });
    expect(json.lots).to.have.length(2);
    expect(json).to.have.nested.property('lots[1].source', 'SPRING');
    expect(json).to.have.nested.property('tokens[1].code', 'SPRING');
    expect(text).to.match(/balance 15\n[\s\S]*grant +10\/10[\s\S]*promo +5\/5[\s\S]*SPRING[\s\S]*purchase/);
    expect(json.redemptions).to.have.nested.property('[0].code', 'SPRING');
    expect(text).to.match(/REDEEMED +AT\nSPRING +20/);
    expect(JSON.stringify(json) + text).to.not.include(token!.slice(-20));
    expectToFit(text);
  });

  it('sees what a wallet paid last, and what of it is open', async () => {
    for (let n = 1; n <= 12; n++) {
      await pay(n, { state: n === 1 ? 'SETTLING' : 'SETTLED', open: n === 1, createdAtMs: n });
    }
    await pay(99, {}, OTHER);
    const { json, text } = await ask(`wallet show ${WALLET}`);
    const shown = json.payments as readonly { readonly at: string; readonly open: boolean }[];
    expect(shown.map(({ at }) => Date.parse(at))).to.deep.equal([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1]);
    expect(text).to.match(/SETTLING +0.02 +preflight_trade/);
    expectToFit(text);
  });

  it('sees what came in and what was used, by day, lane and tool', async () => {
    const atMs = (day: number) => Date.UTC(2026, 6, day, 12);
    const paid = { state: 'SETTLED', open: false } as const;
    await pay(1, { ...paid, createdAtMs: atMs(13) });
    await pay(2, { ...paid, createdAtMs: atMs(13) });
    await pay(3, { state: 'FAILED', open: false, createdAtMs: atMs(13) });
    await pay(4, {
      ...paid,
      createdAtMs: atMs(14),
      proof: { kind: 'refuted', facilitator: 'x', reason: 'r', atMs: 1 },
    });
    await pay(5, { ...paid, createdAtMs: atMs(15) });
    await credits.grant(WALLET, 10, 30, '');
    await credits.charge(request({ bearer: bearerOf(WALLET) }));
    const today = new Date().toISOString().slice(0, 10);
    const { json, text } = await ask('revenue --to 2026-07-15');
    const july13 = { day: '2026-07-13', lane: 'x402', tool: 'preflight_trade', calls: 2, usdc: '0.04', credits: 0 };
    expect(json).to.deep.include({ usdc: '0.04', credits: 0, lines: [july13] });
    expect(text).to.match(/2026-07-13 +x402 +preflight_trade +2 +0.04 +0\n\n0.04 USDC came in/);
    expectToFit(text);
    const { stdout } = await run('revenue --csv --from 2026-07-15');
    expect(stdout).to.equal(
      `day,lane,tool,calls,usdc,credits\n2026-07-15,x402,preflight_trade,1,0.02,0\n${today},credits,preflight_trade,1,0.00,1\n`,
    );
  });

  it('gives the price of a payment back in credits, once, and says why where it cannot', async () => {
    await pay(1, { state: 'SETTLED', open: false, transaction: TX });
    const dry = await run(`credits refund --payment ${TX} --dry-run --json`);
    expect(JSON.parse(dry.stdout)).to.include({ would: `give 2 credits to ${WALLET}` });
    expect((await store.account(WALLET))?.lots ?? []).to.deep.equal([]);
    const done = await run(`credits refund --payment ${TX} --json`);
    expect(JSON.parse(done.stdout)).to.include({ credits_added: 2, balance: 2, transaction: TX });
    const again = await run(`credits refund --payment ${TX}`);
    expect([again.exitCode, again.stdout]).to.deep.equal([1, again.stdout]);
    expect(again.stdout).to.match(/^nothing was given back: it was given back on 20/);
    expect((await ask(`payments show ${TX}`)).json.refunded).to.be.a('string');
    const pack = await pay(2, { state: 'SETTLED', open: false, operation: 'credits' });
    const refused = await run(`credits refund --payment ${pack.payment.authorization.nonce}`);
    expect(refused.stdout).to.match(/it bought credits/);
    expect((await store.account(WALLET))!.lots).to.have.length(1);
  });

  it('sees why a wallet was charged: each movement with its request, and what was given back', async () => {
    await credits.grant(WALLET, 10, 30, '');
    await credits.charge(request({ bearer: bearerOf(WALLET), requestId: 'a1b2c3d4e5f6a1b2c3d4e5f6' }));
    await credits.revokeCredits(WALLET, 2, 'asked for it');
    const { json, text } = await ask(`ledger ${WALLET}`);
    const entries = json.entries as readonly Record<string, unknown>[];
    expect(entries.map(({ kind, credits: moved, balance_after }) => [kind, moved, balance_after])).to.deep.equal([
      ['grant', 10, 10],
      ['debit', 1, 9],
      ['revoke', 2, 7],
    ]);
    expect(text).to.match(/debit +1 +9 +preflight_trade +a1b2c3d4e5f6a1b2c3d4e5f6/);
    expectToFit(text);
    expect((await ask(`ledger ${WALLET} --limit 1`)).json.entries).to.have.length(1);
    expect((await ask(`ledger ${OTHER}`)).text).to.equal('no entries\n');
  });

  it('sees all movements of a span of time, and of no span that is unclear', async () => {
    for (let n = 0; n < 60; n++) await credits.grant(WALLET, 1, 30, '');
    const movements = async (options: string) =>
      ((await ask(`ledger ${WALLET}${options}`)).json.entries as readonly unknown[]).length;
    expect(await movements('')).to.equal(50);
    expect(await movements(' --from 2020-01-01')).to.equal(60);
    expect(await movements(' --from 2020-01-01 --limit 3')).to.equal(3);
    for (const from of ['7', '2026-02-30', '07/08/2026', '2026-07-14T12:00']) {
      for (const command of [`ledger ${WALLET}`, 'payments list', 'revenue']) {
        const { exitCode, stderr } = await run(`${command} --from ${from}`);
        expect([exitCode, stderr], `${command} ${from}`).to.deep.include(2);
      }
    }
  });

  it('sees who redeemed a code', async () => {
    await credits.createPromo({ code: 'SPRING', credits: 5, walletsMax: 2, days: 1 });
    for (const wallet of [WALLET, OTHER]) await credits.redeem('spring', wallet);
    const { json, text } = await ask('promo show spring');
    expect((await ask('promo show --code spring')).json).to.deep.equal(json);
    expect(json).to.include({ code: 'SPRING', redeemed: 2 });
    expect((json.redemptions as { wallet: string }[]).map(({ wallet }) => wallet).sort()).to.deep.equal([
      WALLET,
      OTHER,
    ]);
    expect(text).to.include(WALLET).and.include(OTHER);
    expect((await run('promo show --code WINTER')).exitCode).to.equal(1);
  });

  it('sees whether a transaction is ours, what was bought with it and what was answered', async () => {
    const row = await pay(1, { state: 'SETTLED', open: false, transaction: TX, body: '{"ok":true}' });
    const { json, text } = await ask(`payments show ${TX.toUpperCase().replace('0X', '0x')}`);
    expect(json).to.include({ state: 'SETTLED', usdc: '0.02', wallet: WALLET, transaction: TX, body: '{"ok":true}' });
    expect(text).to.include(row.requestId);
    expect((await ask(`payments show ${row.payment.authorization.nonce}`)).json).to.include({ transaction: TX });
    const none = await run(`payments show 0x${'00'.repeat(32)}`);
    expect(none).to.include({ exitCode: 1, stdout: '' });
    expect(none.stderr).to.include('none of ours');
  });

  it('is not led to the payment of a stranger who signed the transaction or nonce of another as its own nonce', async () => {
    const ofVictim = await pay(1, { state: 'SETTLED', open: false, transaction: TX });
    const { nonce } = ofVictim.payment.authorization;
    for (const copied of [TX, nonce]) {
      const { payment } = samplePayment(2, {}, OTHER);
      const signed = { ...payment, authorization: { ...payment.authorization, nonce: copied as typeof nonce } };
      await pay(2, { state: 'SETTLED', open: false, payment: signed, key: paymentKey(signed) }, OTHER);
    }
    expect((await ask(`payments show ${TX}`)).json).to.include({ wallet: WALLET });
    const given = await run(`credits refund ${TX} --json`);
    expect(JSON.parse(given.stdout)).to.include({ wallet: WALLET, credits_added: 2 });
    const several = await run(`payments show ${nonce}`);
    expect([several.exitCode, several.stdout]).to.deep.equal([1, '']);
    expect(several.stderr).to.include(`--wallet`).and.include(WALLET).and.include(OTHER);
    for (const wallet of [WALLET, OTHER])
      expect((await ask(`payments show ${nonce} --wallet ${wallet}`)).json).to.include({ wallet, nonce });
  });

  it('finds payments by wallet, state and time, the newest first', async () => {
    const atMs = (day: number) => Date.UTC(2026, 6, day, 12);
    await pay(1, { state: 'SETTLED', open: false, transaction: TX, createdAtMs: atMs(13) });
    await pay(2, { state: 'FAILED', open: false, failReason: 'expired', createdAtMs: atMs(14) });
    await pay(3, { createdAtMs: atMs(15) }, OTHER);
    const nonces = async (filter: string) => {
      const { json, text } = await ask(`payments list${filter}`);
      expectToFit(text);
      return (json.payments as { nonce: string }[]).map(({ nonce }) => Number(nonce));
    };
    expect(await nonces('')).to.deep.equal([3, 2, 1]);
    expect(await nonces(` --wallet ${WALLET}`)).to.deep.equal([2, 1]);
    expect(await nonces(' --state FAILED')).to.deep.equal([2]);
    expect(await nonces(' --from 2026-07-14 --to 2026-07-15')).to.deep.equal([2]);
    expect(await nonces(` --transaction ${TX}`)).to.deep.equal([1]);
    expect(await nonces(' --limit 1')).to.deep.equal([3]);
    expect((await ask('payments list --limit 1')).text).to.match(/\n\nand 2 older: --limit 3 shows all of them\n$/);
    expect((await ask('payments list')).text).to.not.include('older');
  });

  it('reads below each payment of the list what shows all of it: its transaction, or else its nonce', async () => {
    const settled = await pay(1, { state: 'SETTLED', open: false, transaction: TX });
    const open = await pay(2, {});
    const { json, text } = await ask('payments list');
    const [newest, oldest] = json.payments as { nonce: string; transaction: string | null }[];
    expect(newest).to.include({ nonce: open.payment.authorization.nonce, transaction: null });
    expect(oldest).to.include({ nonce: settled.payment.authorization.nonce, transaction: TX });
    const shown = text.split('\n').filter((line) => line.startsWith('  '));
    expect(shown.map((line) => line.trim())).to.deep.equal(['PAYMENT', newest!.nonce, TX]);
    for (const payment of [open, settled]) {
      const { transaction, payment: signed } = payment;
      const { json: all } = await ask(`payments show ${transaction ?? signed.authorization.nonce}`);
      expect(all).to.include({ request_id: payment.requestId });
    }
    expect(await run('payments show')).to.include({ exitCode: 2, stdout: '' });
    expect(await run('payments show 0x12')).to.include({ exitCode: 2, stdout: '' });
  });

  it('is told that there is no store, and none is made, when the directory is mistyped', async () => {
    const dir = `${fixture.dataDir}/mistyped`;
    for (const command of ['promo list', `wallet show ${WALLET}`, `ledger ${WALLET}`, 'payments list']) {
      const { exitCode, stdout, stderr } = await run(`${command} --data-dir ${dir}`);
      expect([exitCode, stdout], command).to.deep.equal([2, '']);
      expect(stderr).to.include(`there is no store at ${dir}`);
    }
    expect(existsSync(dir)).to.equal(false);
  });
});
