import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodePaymentResponseHeader } from '@x402/fetch';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { ERAS, sendBytes } from '#test/server/mcp/support/messages';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, newDataDir, startLocalProcess } from '#test/support/local-process';
import { demandedBy, PAID_CALLS, type PaidCall, type Sent, send } from '#test/support/paid-calls';
import { type Bought, PAYING_CLIENTS } from '#test/support/paying-clients';
import { bothVersions, decodeHeader, respell } from '#test/support/payment-headers';
import { publishSampleBoard } from '#test/support/rated-data-dir';
import { SHORT_LIVED } from '#test/support/short-lived';
import type { Account } from '#test/support/signed-payments';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const run = promisify(execFile);
/** Enough for the pack; all clients and calls together use less than the demo wallet has. */
const WALLET_MICROS = 5_200_000n;
/**
 * Some of the ways to write a header without white space, which would make that of the official
 * client too long.
 */
const RESPELLED = [1, 2, 5, 37, 41];

interface Purchase extends Bought {
  readonly call: PaidCall;
  readonly version: 1 | 2;
  readonly account: Account;
}

describe('the clients that exist', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let money: LocalMoney;
  const purchases: Purchase[] = [];

  before(async function () {
    needAnvil(this);
    const dataDir = newDataDir();
    await publishSampleBoard(dataDir);
    local = await startLocalProcess({ dataDir });
    money = moneyOf(local);
  });
  after(async () => {
    await local?.end('SIGKILL');
    if (local !== undefined) rmSync(local.dataDir, { recursive: true, force: true });
  });

  const shop = () => local.facts;
  const again = ({ call, sent }: Purchase, value = sent.value) => send(call.call(shop()), { [sent.name]: value });

  for (const client of PAYING_CLIENTS) {
    for (const call of PAID_CALLS) {
      it(`${client.name} pays for ${call.name}, and the chain moves exactly its price`, async () => {
        const account = await money.newWallet(WALLET_MICROS);
        const earned = await money.earned();
        const bought = await client.buy(account, call.call(shop()));
        expect(bought.answer.status, bought.text).to.equal(200);
        purchases.push({ ...bought, call, version: client.version, account });

        expect(await money.balanceOf(account.address)).to.equal(WALLET_MICROS - call.priceMicros);
        expect((await money.earned()) - earned).to.equal(call.priceMicros);
        const { paid } = JSON.parse(bought.text);
        expect(Object.keys(paid)).to.have.members(['price_paid_usdc', 'transaction', 'network', 'receipt']);
        expect(Number(paid.price_paid_usdc)).to.equal(Number(call.priceMicros) / 1e6);
        expect(paid.network).to.equal('eip155:8453');
        expect(paid.receipt).to.equal(`${shop().facilitator!.url}/tx/${paid.transaction}`);
        const shown = await (await fetch(paid.receipt)).json();
        const usdc = Number(call.priceMicros) / 1e6;
        expect(shown).to.deep.include({
          status: 'success',
          transfers: [{ from: account.address, to: shop().payee, usdc }],
        });
        const transfers = (await money.transfersIn(paid.transaction)).map(({ from, to, value }) => [from, to, value]);
        expect(transfers).to.deep.equal([[account.address, shop().payee, call.priceMicros]]);
        expectReceipt(bought.answer.headers, client.version, paid.transaction, account, call);
      });
    }
  }

  /**
   * The receipt is in the header of the client's own version, and the official decoder reads it.
   */
  function expectReceipt(
    headers: Headers,
    version: 1 | 2,
    transaction: string,
    account: Account,
    call: PaidCall,
  ): void {
    const names = ['X-PAYMENT-RESPONSE', 'PAYMENT-RESPONSE'] as const;
    const [mine, other] = version === 1 ? names : names.toReversed();
    expect(headers.get(other!)).to.equal(null);
    const receipt = decodePaymentResponseHeader(headers.get(mine!)!);
    const common = { success: true, transaction, payer: account.address.toLowerCase() };
    const own = version === 1 ? { network: 'base' } : { network: 'eip155:8453', amount: String(call.priceMicros) };
    expect(receipt).to.deep.equal({ ...common, ...own });
  }

  /** The secret of the terms in a payment's header, if its client sent it back. */
  function echoOf(header: string): string | undefined {
    const { extensions = {} } = decodeHeader(header) as { extensions?: Record<string, { info?: { value?: string } }> };
    return extensions['purchase-secret']?.info?.value;
  }

  /**
   * What a repeat of the very same header gets: all of it. Where it has no secret, a pack's token was
   * shown once.
   */
  function repeated({ call, sent, text }: Purchase): string {
    const isCovered = call.request === 'credits' && echoOf(sent.value) === undefined;
    return isCovered ? text.replace(/(tk_0x[0-9a-f]{40}_)[A-Za-z0-9_-]{43}/, '$1***') : text;
  }

  /**
   * What those get who do not send back the secret of the terms, as an observer of the chain cannot:
   * nothing, unless the payment was made without one.
   */
  function expectWithoutSecret(purchase: Purchase, { status, text }: Sent, how: string): void {
    if (echoOf(purchase.sent.value) === undefined) expect([status, text], how).to.deep.equal([200, repeated(purchase)]);
    else expect([status, JSON.parse(text).reason], how).to.deep.equal([402, 'not_the_buyer']);
  }

  /**
   * Every purchase so far, repeated in every way; nobody is paid again and not a byte is different.
   */
  async function expectReplays(): Promise<void> {
    const earned = await money.earned();
    expect(purchases).to.have.length(PAYING_CLIENTS.length * PAID_CALLS.length);
    for (const purchase of purchases) {
      const { call, sent, text, account, version } = purchase;
      const repeat = await again(purchase);
      expect([repeat.status, repeat.text]).to.deep.equal([200, repeated(purchase)]);
      expect(repeat.headers.get('Idempotent-Replayed'), 'the mark of a repeat').to.equal('true');
      expectReceipt(repeat.headers, version, JSON.parse(text).paid.transaction, account, call);
      for (const n of RESPELLED)
        expect((await again(purchase, respell(sent.value, n))).text, `spelling ${n}`).to.equal(repeated(purchase));
      for (const { name, value } of bothVersions(decodeHeader(sent.value).payload, demandedBy(call, shop()))) {
        const translated = await send(call.call(shop()), { [name]: value });
        expectWithoutSecret(purchase, translated, name);
        if (translated.status !== 200) continue;
        const spoken = name === 'X-PAYMENT' ? 1 : 2;
        expectReceipt(translated.headers, spoken, JSON.parse(text).paid.transaction, account, call);
      }
    }
    expect(await money.earned(), 'nothing was paid twice').to.equal(earned);
  }

  it('get the same bytes for the same authorization, in either version and however it is spelled', expectReplays);

  it('the official client sends the secret of the terms back, for every tool, so that nobody else can prove to be the buyer', () => {
    const official = purchases.filter(({ version }) => version === 2);
    for (const { sent, call } of official) expect(echoOf(sent.value), call.name).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(official).to.have.length(PAID_CALLS.length);
  });

  /** All that the chain shows of a payment, with a signature that proves nothing. */
  const observed = ({ sent }: Purchase) => ({ ...decodeHeader(sent.value).payload, signature: '0x00' });

  it('a pack of either version cannot be taken by an observer of the chain, in either version', async () => {
    const packs = purchases.filter(({ call }) => call.request === 'credits');
    expect(new Set(packs.map(({ version }) => version))).to.deep.equal(new Set([1, 2]));
    for (const pack of packs) {
      for (const { name, value } of bothVersions(observed(pack), demandedBy(pack.call, shop()))) {
        for (const key of [{}, { 'Idempotency-Key': 'a-key-that-the-observer-made-up' }]) {
          const taken = await send(pack.call.call(shop()), { [name]: value, ...key });
          expect(taken.status, name).to.equal(402);
          expect(JSON.parse(taken.text).reason, name).to.match(/^invalid_exact_evm_signature/);
          expect(taken.text).to.not.include(JSON.parse(pack.text).token);
        }
      }
    }
  });

  it('nor by MCP, where the same authorization pays for no tool and shows no token', async () => {
    const packs = purchases.filter(({ call }) => call.request === 'credits');
    for (const pack of packs) {
      const [{ value }] = bothVersions(observed(pack), demandedBy(pack.call, shop()));
      for (const name of ['credits', 'leaderboard', 'preflight_trade']) {
        const params = { name, arguments: {}, _meta: { 'x402/payment': decodeHeader(value) } };
        const { message } = ERAS['2025-11-25']('tools/call', params);
        const { status, text } = await sendBytes(shop().url, JSON.stringify(message), {});
        expect(status, text).to.equal(200);
        expect(text, name).to.not.match(/tk_0x[0-9a-f]{40}_/);
      }
    }
  });

  it('the token of a pack works on the credits lane, and repeating the purchase adds nothing', async () => {
    const packs = purchases.filter(({ call }) => call.request === 'credits');
    expect(packs).to.have.length(PAYING_CLIENTS.length);
    for (const { text, account } of packs) {
      const { token, wallet, credits_added: added, balance, expires } = JSON.parse(text);
      expect([wallet, added, balance]).to.deep.equal([account.address.toLowerCase(), 500, 500]);
      expect(Date.parse(expires) - Date.now()).to.be.within(364 * 86_400_000, 365 * 86_400_000);
      const bearer = { authorization: `Bearer ${token}` };
      const held = await send({ url: `${shop().url}/api/credits` }, bearer);
      expect(JSON.parse(held.text)).to.include({ balance: 500 });
      const answer = await send(PAID_CALLS[0]!.call(shop()), bearer);
      expect(answer.status, answer.text).to.equal(200);
      expect(JSON.parse(answer.text).paid).to.deep.equal({ credits_used: 1, credits_remaining: 499 });
    }
  });

  it('get them after kill -9 and a new start too, with nobody asked again', async () => {
    const settled = await money.earned();
    await local.end('SIGKILL');
    local = await startLocalProcess({ dataDir: local.dataDir, port: local.port });
    money = moneyOf(local);
    expect(await money.earned(), 'the chain is the one from before').to.equal(settled);
    await expectReplays();
    expect(await money.facilitatorCalls()).to.deep.equal([]);
    const tokens = purchases.flatMap(({ text }) => JSON.parse(text).token ?? []);
    for (const token of tokens) {
      const held = await send({ url: `${shop().url}/api/credits` }, { authorization: `Bearer ${token}` });
      expect(JSON.parse(held.text)).to.include({ balance: 499 });
    }
  });

  const payWith = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    run(process.execPath, [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/pay.js'), ...args], {
      env: { PATH: process.env.PATH, ...env },
    });

  it('npm run pay is printed with the data directory that it pays from', () => {
    expect(local.output()).to.match(new RegExp(`^ {2}DATA_DIR=${local.dataDir} npm run --silent pay$`, 'm'));
  });

  it('npm run pay pays no other instance, also where one has taken its port, and no other URL', async () => {
    const earned = await money.earned();
    const refusalOf = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      payWith(env, ...args).then(
        () => 'it paid',
        ({ stderr }: { readonly stderr: string }) => stderr,
      );
    const stale = newDataDir();
    const theirs = { ...shop(), payee: shop().demoWallet.address };
    writeFileSync(join(stale, 'local.json'), JSON.stringify(theirs));
    expect(await refusalOf({ DATA_DIR: stale })).to.match(/another instance .* Nothing was paid; run the command/);
    const nobody = { ...shop(), url: 'http://127.0.0.1:1' };
    writeFileSync(join(stale, 'local.json'), JSON.stringify(nobody));
    expect(await refusalOf({ DATA_DIR: stale })).to.match(/nothing answers at http:\/\/127\.0\.0\.1:1: run npm start/);
    rmSync(stale, { recursive: true });
    const elsewhere = 'http://127.0.0.1:1/api/leaderboard';
    expect(await refusalOf({ DATA_DIR: local.dataDir }, elsewhere)).to.include(`${elsewhere} is not a URL under`);
    expect(await money.earned()).to.equal(earned);
  });

  it('npm run pay shows the verdict, the transaction and the balance that moved', async () => {
    const [before, earned] = [await money.balanceOf(shop().demoWallet.address), await money.earned()];
    const { stdout } = await payWith({ DATA_DIR: local.dataDir });
    expect(stdout).to.match(/verdict: '(OK|CAUTION|VETO)'/);
    const [, transaction] = stdout.match(/settled: \{[^}]*transaction: '(0x[0-9a-f]{64})'/s)!;
    const [transfer] = await money.transfersIn(transaction as `0x${string}`);
    expect(transfer).to.include({ from: shop().demoWallet.address, to: shop().payee, value: 20_000n });
    expect(await money.balanceOf(shop().demoWallet.address)).to.equal(before - 20_000n);
    const usdc = (micros: bigint) => String(Number(micros) / 1e6);
    expect(stdout).to.include(`demo wallet: ${usdc(before)} -> ${usdc(before - 20_000n)} USDC`);
    expect(stdout).to.include(`payee: ${usdc(earned)} -> ${usdc(earned + 20_000n)} USDC`);
  });
});
