import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LedgerEntry } from '#domain/credits/credits';
import { Problem } from '#domain/errors';
import { nameOfCode } from '#services/credits/promo-names';
import type { RedeemResult } from '#services/credits/promos';
import { walletNumber } from '#test/contract/store.contract';
import { rejectionOf } from '#test/support/promises';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { bearerOf, buyPack, type CreditsBench, makeCredits, request, START_MS } from '../support/credits-home.js';

const DAY = 86_400_000;
const [W1, W2] = [walletNumber(1), walletNumber(2)];
const SPRING = { code: 'SPRING', credits: 50, walletsMax: 100, days: 10 };
const SPRING_NAME = nameOfCode(CREDIT_SECRETS, 'SPRING');

const kinds = (entries: readonly LedgerEntry[]) =>
  entries.map((entry) => [entry.kind, entry.credits, entry.balanceAfter]);

function tally(results: readonly { readonly kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function redeemedToken(result: RedeemResult): string {
  if (result.kind !== 'redeemed') throw new Error(`not redeemed: ${result.kind}`);
  return result.token;
}

async function problem(promise: Promise<unknown>): Promise<string> {
  const error = await rejectionOf<Problem>(promise);
  expect(error).to.be.instanceOf(Problem).and.include({ code: 'invalid_parameter' });
  return error.message;
}

describe('credits', () => {
  let bench: CreditsBench;
  beforeEach(async () => {
    bench = await makeCredits();
  });
  afterEach(() => bench.remove());

  describe('a charge', () => {
    it('debits, books and renders in one go', async () => {
      await bench.credits.grant(W1, 10, 365, 'gift');
      const paid = await bench.credits.charge(request({ credits: 5, tool: 'preflight_copy', requestId: 'r-9' }));
      const body = '{"creditsUsed":5,"creditsRemaining":5}';
      const madeAtMs = bench.clock.nowMs();
      expect(paid).to.deep.equal({ kind: 'charged', body, madeAtMs, creditsUsed: 5, creditsRemaining: 5 });
      expect((await bench.store.ledger(W1, 10)).at(-1)).to.deep.include({
        kind: 'debit',
        operation: 'preflight_copy',
        requestId: 'r-9',
        atMs: START_MS,
        balanceAfter: 5,
      });
    });

    it('is refused, and changes nothing, where the credits do not suffice', async () => {
      await bench.credits.grant(W1, 4, 365, '');
      const refused = await bench.credits.charge(request({ credits: 5 }));
      expect(refused).to.deep.equal({ kind: 'insufficient', balance: 4, required: 5 });
      expect(await bench.credits.charge(request({ bearer: bearerOf(W2) }))).to.include({
        kind: 'insufficient',
        balance: 0,
      });
      expect(await bench.store.ledger(W1, 10)).to.have.length(1);
    });

    it('does not happen where nobody is there any more when it is decided', async () => {
      await bench.credits.grant(W1, 4, 365, '');
      let isGone = false;
      const charge = bench.credits.charge(request({ isGone: () => isGone }));
      isGone = true;
      expect(await charge).to.deep.equal({ kind: 'gone' });
      expect(await bench.store.ledger(W1, 10)).to.have.length(1);
    });

    it('does not happen where the answer cannot be rendered', async () => {
      await bench.credits.grant(W1, 4, 365, '');
      const render = () => {
        throw new Error('cannot render');
      };
      const outcome = await Promise.allSettled([bench.credits.charge(request({ render }))]);
      expect(outcome[0].status).to.equal('rejected');
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(4);
    });

    it('never overspends, however many come at once', async () => {
      await bench.credits.grant(W1, 100, 365, '');
      const charges = Array.from({ length: 300 }, (_, i) => bench.credits.charge(request({ requestId: `r-${i}` })));
      expect(tally(await Promise.all(charges))).to.deep.equal({ charged: 100, insufficient: 200 });
      expect(await bench.credits.balanceOf(bearerOf(W1))).to.deep.equal({ balance: 0, expiresAtMs: null });
    });
  });

  describe('an Idempotency-Key', () => {
    const idempotency = { key: 'order-1', fingerprint: 'f1' };

    it('is debited once and answered alike, however many copies come at once', async () => {
      await bench.credits.grant(W1, 100, 365, '');
      const copies = await Promise.all(
        Array.from({ length: 50 }, (_, i) => bench.credits.charge(request({ idempotency, requestId: `r-${i}` }))),
      );
      expect(tally(copies)).to.deep.equal({ charged: 1, replayed: 49 });
      expect(new Set(copies.map((copy) => 'body' in copy && copy.body)).size).to.equal(1);
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(99);
    });

    it('still answers when all credits are spent', async () => {
      await bench.credits.grant(W1, 1, 365, '');
      const first = await bench.credits.charge(request({ idempotency }));
      const madeAtMs = bench.clock.nowMs();
      bench.clock.add(7_000);
      const again = await bench.credits.charge(request({ idempotency }));
      expect(again).to.deep.equal({ kind: 'replayed', body: first.kind === 'charged' ? first.body : '', madeAtMs });
    });

    it('is a conflict for another request, and free for another wallet', async () => {
      await bench.credits.grant(W1, 5, 365, '');
      await bench.credits.grant(W2, 5, 365, '');
      const other = { key: 'order-1', fingerprint: 'f2' };
      await bench.credits.charge(request({ idempotency }));
      expect(await bench.credits.charge(request({ idempotency: other }))).to.deep.equal({ kind: 'conflict' });
      expect(await bench.credits.charge(request({ idempotency: other, bearer: bearerOf(W2) }))).to.include({
        kind: 'charged',
      });
      expect(await bench.credits.findAnswer({ ...bearerOf(W1), key: 'order-1' }, 'f2')).to.deep.equal({
        kind: 'conflict',
      });
      expect(await bench.credits.findAnswer({ ...bearerOf(W2), key: 'order-1' }, 'f2')).to.include({ kind: 'found' });
      expect(await bench.credits.findAnswer({ ...bearerOf(W1), key: 'order-2' }, 'f1')).to.deep.equal({ kind: 'none' });
    });

    it('has its answer under the payment that came with it too, whoever sends that and with whatever key', async () => {
      await bench.credits.grant(W1, 5, 365, '');
      await bench.credits.grant(W2, 5, 365, '');
      const payment = { wallet: W2, code: 'payment', key: 'f'.repeat(64) };
      const charge = (key: string | null, wallet: typeof W1) =>
        bench.credits.charge(request({ bearer: bearerOf(wallet), idempotency: { key, fingerprint: 'f1', payment } }));
      const first = await charge('order-1', W1);
      const body = first.kind === 'charged' ? first.body : '';
      for (const repeat of [charge('order-1', W1), charge(null, W1), charge('order-2', W1), charge(null, W2)]) {
        expect(await repeat).to.include({ kind: 'replayed', body });
      }
      expect(await bench.credits.charge(request({ idempotency }))).to.include({ kind: 'replayed', body });
      expect(await bench.credits.findAnswer(payment, 'f1')).to.include({ kind: 'found', body });
      for (const [wallet, left] of [
        [W1, 4],
        [W2, 5],
      ] as const) {
        expect((await bench.credits.balanceOf(bearerOf(wallet))).balance).to.equal(left);
      }
    });

    it('is debited once where copies with one payment come at once, each with its own key', async () => {
      await bench.credits.grant(W1, 100, 365, '');
      const payment = { wallet: W2, code: 'payment', key: 'e'.repeat(64) };
      const named = (n: number) => ({ key: n === 0 ? null : `order-${n}`, fingerprint: 'f1', payment });
      const copies = Array.from({ length: 20 }, (_, n) => bench.credits.charge(request({ idempotency: named(n) })));
      expect(tally(await Promise.all(copies))).to.deep.equal({ charged: 1, replayed: 19 });
    });

    it('keeps no answer of a refused call, and forgets an answer after 24 hours', async () => {
      await bench.credits.charge(request({ idempotency }));
      expect(await bench.credits.findAnswer({ ...bearerOf(W1), key: 'order-1' }, 'f1')).to.deep.equal({ kind: 'none' });
      await bench.credits.grant(W1, 5, 365, '');
      await bench.credits.charge(request({ idempotency }));
      bench.clock.add(DAY - 1);
      expect(await bench.credits.charge(request({ idempotency }))).to.include({ kind: 'replayed' });
      bench.clock.add(1);
      expect(await bench.credits.findAnswer({ ...bearerOf(W1), key: 'order-1' }, 'f1')).to.deep.equal({ kind: 'none' });
      expect(await bench.credits.charge(request({ idempotency }))).to.include({ kind: 'charged' });
    });
  });

  describe('expiry', () => {
    it('takes credits after their days, tells when the next ones go, and books it when it is first met', async () => {
      await bench.credits.grant(W1, 10, 1, 'short');
      await bench.credits.grant(W1, 4, 2, 'long');
      expect(await bench.credits.balanceOf(bearerOf(W1))).to.deep.equal({ balance: 14, expiresAtMs: START_MS + DAY });
      bench.clock.add(DAY);
      expect(await bench.credits.balanceOf(bearerOf(W1))).to.deep.equal({
        balance: 4,
        expiresAtMs: START_MS + 2 * DAY,
      });
      expect(await bench.credits.charge(request({ credits: 5 }))).to.include({ kind: 'insufficient', balance: 4 });
      expect(await bench.credits.charge(request({ credits: 3 }))).to.include({ kind: 'charged' });
      expect(kinds(await bench.store.ledger(W1, 10))).to.deep.equal([
        ['grant', 10, 10],
        ['grant', 4, 14],
        ['expire', 10, 4],
        ['debit', 3, 1],
      ]);
    });
  });

  describe('a token', () => {
    it('opens its wallet; a wrong, cut or foreign one opens nothing', async () => {
      const { token } = await bench.credits.grant(W1, 1, 365, '');
      if (token === null) throw new Error('no token');
      expect(await bench.credits.authenticate(token)).to.deep.equal(bearerOf(W1));
      const last = token.endsWith('A') ? 'B' : 'A';
      const wrong = [token.slice(0, -1) + last, token.slice(0, -1), token.replace(W1, W2), '', 'tk_', 'Bearer'];
      for (const text of wrong) expect(await bench.credits.authenticate(text), text).to.equal(null);
    });

    it('is kept as a hash only: its secret is nowhere in the file', async () => {
      const { token } = await bench.credits.grant(W1, 1, 365, '');
      const secret = token?.slice(-43) ?? '';
      await bench.store.close();
      const file = readFileSync(bench.path);
      expect(file.includes(secret)).to.equal(false);
      expect(file.includes(Buffer.from(secret, 'base64url'))).to.equal(false);
      expect(file.includes(W1)).to.equal(true);
    });

    it('lapses when its wallet gets a sixth one', async () => {
      const tokens: string[] = [];
      for (let n = 1; n <= 6; n++) {
        await bench.credits.createPromo({ ...SPRING, code: `CODE-${n}` });
        tokens.push(redeemedToken(await bench.credits.redeem(`CODE-${n}`, W1)));
      }
      const valid = await Promise.all(tokens.map((token) => bench.credits.authenticate(token)));
      expect(valid).to.deep.equal([null, ...[2, 3, 4, 5, 6].map((n) => bearerOf(W1, `CODE-${n}`))]);
    });

    it('is minted by a grant where the wallet has only one that cannot spend what was granted', async () => {
      await bench.credits.createPromo(SPRING);
      await bench.credits.redeem('SPRING', W1);
      const { token } = await bench.credits.grant(W1, 1, 365, '');
      expect(await bench.credits.authenticate(token ?? '')).to.deep.equal(bearerOf(W1));
      expect((await bench.credits.grant(W1, 1, 365, '')).token).to.equal(null);
    });

    it('is minted by a grant only where the wallet has no valid one', async () => {
      const first = await bench.credits.grant(W1, 1, 365, '');
      expect((await bench.credits.grant(W1, 1, 365, '')).token).to.equal(null);
      expect(await bench.credits.revokeTokens({ token: first.token ?? '' })).to.deep.equal({ revoked: 1 });
      expect(await bench.credits.authenticate(first.token ?? '')).to.equal(null);
      expect((await bench.credits.grant(W1, 1, 365, '')).token).to.be.a('string');
    });

    it('is not valid any more once it is revoked, where it was checked before', async () => {
      const token = (await bench.credits.grant(W1, 5, 30, 'test')).token!;
      expect(await bench.credits.authenticate(token)).to.include({ wallet: W1 });
      await bench.credits.revokeTokens({ token });
      expect(await bench.credits.authenticate(token)).to.equal(null);
    });

    it('can be revoked alone or with all of its wallet, and the credits stay', async () => {
      const granted = (await bench.credits.grant(W1, 7, 365, '')).token ?? '';
      await bench.credits.createPromo(SPRING);
      const redeemed = redeemedToken(await bench.credits.redeem('spring', W1));
      expect(await bench.credits.revokeTokens({ token: 'tk_nonsense' })).to.deep.equal({ revoked: 0 });
      expect(await bench.credits.revokeTokens({ token: granted })).to.deep.equal({ revoked: 1 });
      expect(await bench.credits.revokeTokens({ token: granted })).to.deep.equal({ revoked: 0 });
      expect(await bench.credits.authenticate(redeemed)).to.deep.equal(bearerOf(W1, 'SPRING'));
      expect(await bench.credits.revokeTokens({ wallet: W1 })).to.deep.equal({ revoked: 1 });
      expect(await bench.credits.authenticate(redeemed)).to.equal(null);
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(57);
    });
  });

  describe('the scope of a token', () => {
    /**
     * Wallet 1 with 500 bought credits, 50 promo credits that were redeemed later, and the token of
     * each.
     */
    async function bothKinds(): Promise<{ bought: string; redeemed: string }> {
      await bench.credits.createPromo(SPRING);
      const { token } = await buyPack(bench, W1);
      bench.clock.add(DAY);
      return { bought: token, redeemed: redeemedToken(await bench.credits.redeem('SPRING', W1)) };
    }
    const bearer = async (token: string) => (await bench.credits.authenticate(token))!;

    it('lets a promo token see and spend the promo credits alone', async () => {
      const { redeemed } = await bothKinds();
      const promo = await bearer(redeemed);
      expect(await bench.credits.balanceOf(promo)).to.deep.equal({ balance: 50, expiresAtMs: START_MS + 366 * DAY });
      const paid = await bench.credits.charge(request({ bearer: promo, credits: 20 }));
      expect(paid).to.include({ kind: 'charged', creditsUsed: 20, creditsRemaining: 30 });
      const refused = await bench.credits.charge(request({ bearer: promo, credits: 31 }));
      expect(refused).to.deep.equal({ kind: 'insufficient', balance: 30, required: 31 });
      expect(await bench.credits.charge(request({ bearer: promo, credits: 30 }))).to.include({ creditsRemaining: 0 });
      expect(await bench.credits.balanceOf(promo)).to.deep.equal({ balance: 0, expiresAtMs: null });
      expect(await bench.credits.balanceOf(bearerOf(W1))).to.include({ balance: 500 });
    });

    it('lets a purchase token see and spend both, those that expire first before the others', async () => {
      const { bought } = await bothKinds();
      const owner = await bearer(bought);
      expect(await bench.credits.balanceOf(owner)).to.deep.equal({ balance: 550, expiresAtMs: START_MS + 365 * DAY });
      const paid = await bench.credits.charge(request({ bearer: owner, credits: 510 }));
      expect(paid).to.include({ kind: 'charged', creditsRemaining: 40 });
      const lots = (await bench.store.account(W1))?.lots.map(({ kind, remaining }) => [kind, remaining]);
      expect(lots).to.deep.equal([['promo', 40]]);
      expect(await bench.credits.balanceOf(bearerOf(W1, 'SPRING'))).to.include({ balance: 40 });
    });

    it('keeps granted credits, too, from promo tokens, and tells a redeemer nothing of them', async () => {
      await bench.credits.grant(W1, 70, 365, '');
      await bench.credits.createPromo(SPRING);
      const result = await bench.credits.redeem('SPRING', W1);
      expect(result).to.include({ kind: 'redeemed', creditsAdded: 50, balance: 50 });
      const promo = await bearer(redeemedToken(result));
      expect(await bench.credits.charge(request({ bearer: promo, credits: 51 }))).to.include({ kind: 'insufficient' });
    });

    it('keeps the credits of one code from the token of another', async () => {
      await bench.credits.createPromo(SPRING);
      await bench.credits.createPromo({ ...SPRING, code: 'AUTUMN', credits: 7 });
      const spring = await bearer(redeemedToken(await bench.credits.redeem('SPRING', W1)));
      const second = await bench.credits.redeem('AUTUMN', W1);
      expect(second).to.include({ creditsAdded: 7, balance: 7 });
      const autumn = await bearer(redeemedToken(second));
      expect(await bench.credits.charge(request({ bearer: autumn, credits: 8 }))).to.include({ kind: 'insufficient' });
      expect(await bench.credits.charge(request({ bearer: autumn, credits: 7 }))).to.include({ creditsRemaining: 0 });
      expect(await bench.credits.balanceOf(spring)).to.include({ balance: 50 });
    });

    it('keeps what one token bought from the others, under the same Idempotency-Key too', async () => {
      const { bought, redeemed } = await bothKinds();
      await bench.credits.createPromo({ ...SPRING, code: 'AUTUMN' });
      const another = redeemedToken(await bench.credits.redeem('AUTUMN', W1));
      const idempotency = { key: 'order-1', fingerprint: 'f1' };
      for (const token of [bought, redeemed, another]) {
        const mine = await bearer(token);
        expect(await bench.credits.findAnswer({ ...mine, key: 'order-1' }, 'f1'), 'not yet mine').to.deep.equal({
          kind: 'none',
        });
        expect(await bench.credits.charge(request({ bearer: mine, idempotency }))).to.include({ kind: 'charged' });
        expect(await bench.credits.findAnswer({ ...mine, key: 'order-1' }, 'f1')).to.include({ kind: 'found' });
      }
    });

    it('books what a promo token spends in the one ledger of the wallet', async () => {
      const { redeemed } = await bothKinds();
      await bench.credits.charge(request({ bearer: await bearer(redeemed), credits: 20 }));
      expect(kinds(await bench.store.ledger(W1, 10))).to.deep.equal([
        ['grant', 500, 500],
        ['grant', 50, 550],
        ['debit', 20, 530],
      ]);
    });

    it('counts the last five tokens of each scope by itself: redeeming pushes no bought token out', async () => {
      const bought = [(await buyPack(bench, W1)).token, (await buyPack(bench, W1)).token];
      const redeemed: string[] = [];
      for (let n = 1; n <= 7; n++) {
        await bench.credits.createPromo({ ...SPRING, code: `CODE-${n}` });
        redeemed.push(redeemedToken(await bench.credits.redeem(`CODE-${n}`, W1)));
      }
      for (let n = 3; n <= 6; n++) bought.push((await buyPack(bench, W1)).token);
      const scopes = (tokens: readonly string[]) =>
        Promise.all(tokens.map(async (token) => (await bench.credits.authenticate(token))?.scope ?? null));
      expect(await scopes(bought)).to.deep.equal([null, ...Array(5).fill('purchase')]);
      expect(await scopes(redeemed)).to.deep.equal([null, null, ...Array(5).fill('promo')]);
      expect(await bench.credits.revokeTokens({ wallet: W1 })).to.deep.equal({ revoked: 10 });
    });
  });

  describe('a promo code', () => {
    it('gives credits that live 365 days, however little longer the code itself lives', async () => {
      expect(await bench.credits.createPromo(SPRING)).to.equal('created');
      bench.clock.add(10 * DAY - 1);
      const result = await bench.credits.redeem(' Spring ', W1);
      expect(result).to.deep.include({ kind: 'redeemed', wallet: W1, creditsAdded: 50, balance: 50 });
      expect(result).to.have.property('expiresAtMs', bench.clock.nowMs() + 365 * DAY);
      expect(await bench.credits.authenticate(redeemedToken(result))).to.deep.equal(bearerOf(W1, 'SPRING'));
    });

    it('gives to exactly as many wallets as its cap, in a stampede of five hundred', async () => {
      await bench.credits.createPromo(SPRING);
      const wallets = Array.from({ length: 500 }, (_, n) => walletNumber(n + 1));
      const results = await Promise.all(wallets.map((wallet) => bench.credits.redeem('SPRING', wallet)));
      expect(tally(results)).to.deep.equal({ redeemed: 100, exhausted: 400 });
      const balances = await Promise.all(wallets.map((wallet) => bench.credits.balanceOf(bearerOf(wallet))));
      expect(balances.reduce((sum, { balance }) => sum + balance, 0)).to.equal(100 * 50);
      expect((await bench.credits.listPromos())[0]?.redeemed).to.equal(100);
    });

    it('gives to one wallet once, in whatever case and however often it asks at once', async () => {
      await bench.credits.createPromo(SPRING);
      const asks = Array.from({ length: 40 }, (_, i) => bench.credits.redeem(i % 2 === 0 ? 'spring' : 'SPRING', W1));
      expect(tally(await Promise.all(asks))).to.deep.equal({ redeemed: 1, already_redeemed: 39 });
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(50);
    });

    it('answers unknown, already redeemed, expired and exhausted as what they are', async () => {
      await bench.credits.createPromo({ ...SPRING, walletsMax: 1 });
      const ask = async (code: string, wallet = W1) => (await bench.credits.redeem(code, wallet)).kind;
      expect(await ask('WINTER')).to.equal('unknown_code');
      expect(await ask('not a code')).to.equal('unknown_code');
      expect(await ask('SPRING')).to.equal('redeemed');
      expect(await ask('SPRING')).to.equal('already_redeemed');
      expect(await ask('SPRING', W2)).to.equal('exhausted');
      bench.clock.add(10 * DAY);
      expect(await ask('SPRING', W2)).to.equal('expired');
      expect(await ask('SPRING')).to.equal('already_redeemed');
    });

    it('is revoked with what is left of its credits, and with nothing else', async () => {
      await bench.credits.createPromo(SPRING);
      await bench.credits.redeem('SPRING', W1);
      await bench.credits.redeem('SPRING', W2);
      await bench.credits.grant(W1, 7, 3, 'stays');
      await bench.credits.charge(request({ credits: 10 }));
      const done = await bench.credits.revokePromo('spring');
      expect(done).to.deep.equal({
        kind: 'revoked',
        code: 'SPRING',
        wasOver: false,
        creditsTakenBack: 47 + 50,
        wallets: 2,
      });
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(0);
      expect((await bench.store.ledger(W1, 10)).at(-1)).to.deep.include({
        kind: 'revoke',
        operation: `revoke ${SPRING_NAME}`,
      });
      expect((await bench.credits.redeem('SPRING', walletNumber(3))).kind).to.equal('expired');
      expect(await bench.credits.revokePromo('SPRING')).to.include({ wasOver: true, creditsTakenBack: 0, wallets: 0 });
      expect(await bench.credits.revokePromo('WINTER')).to.deep.equal({ kind: 'unknown_code' });
      expect(await bench.credits.createPromo(SPRING)).to.equal('exists');
    });

    it('is in no row: they name it by what the key of the store makes of it, and nobody can redeem that name', async () => {
      await bench.credits.createPromo(SPRING);
      await bench.credits.redeem('SPRING', W1);
      const [promo] = await bench.store.promos();
      expect(promo?.code).to.equal(SPRING_NAME);
      expect(JSON.stringify([promo, await bench.store.account(W1), await bench.store.ledger(W1, 9)])).to.not.include(
        'SPRING',
      );
      expect(await bench.credits.redeem(SPRING_NAME, W2)).to.deep.equal({ kind: 'unknown_code' });
      expect((await bench.credits.listPromos()).map(({ code }) => code)).to.deep.equal(['SPRING']);
    });

    it('from before is redeemed, listed and revoked as it was, and is not made again', async () => {
      const { credits, walletsMax } = SPRING;
      const old = {
        code: 'SPRING',
        credits,
        walletsMax,
        redeemed: 0,
        createdAtMs: START_MS,
        expiresAtMs: START_MS + DAY,
      };
      await bench.store.transact({ promo: 'SPRING' }, () => ({
        writes: { promo: { ...old, revokedAtMs: null } },
        result: null,
      }));
      expect(await bench.credits.createPromo(SPRING)).to.equal('exists');
      const redeemed = await bench.credits.redeem('spring', W1);
      expect(redeemed).to.include({ kind: 'redeemed', balance: credits });
      expect((await bench.credits.redeem('SPRING', W1)).kind).to.equal('already_redeemed');
      expect(await bench.credits.listPromos()).to.deep.equal([{ ...old, redeemed: 1, revokedAtMs: null }]);
      expect(await bench.credits.revokePromo('SPRING')).to.include({
        code: 'SPRING',
        creditsTakenBack: credits,
        wallets: 1,
      });
    });

    it('is taken back from more wallets than fit a page', async () => {
      await bench.credits.createPromo({ ...SPRING, walletsMax: 1_000 });
      const wallets = Array.from({ length: 450 }, (_, n) => walletNumber(n + 1));
      await Promise.all(wallets.map((wallet) => bench.credits.redeem('SPRING', wallet)));
      expect(await bench.credits.revokePromo('SPRING')).to.include({ creditsTakenBack: 22_500, wallets: 450 });
    });
  });

  describe('an operator', () => {
    it('takes away as many credits as asked, or as there are', async () => {
      await bench.credits.grant(W1, 10, 365, '');
      expect(await bench.credits.revokeCredits(W1, 4, 'abuse')).to.deep.equal({ revoked: 4, balance: 6 });
      expect(await bench.credits.revokeCredits(W1, 99, '')).to.deep.equal({ revoked: 6, balance: 0 });
      expect(await bench.credits.revokeCredits(W2, 'all', '')).to.deep.equal({ revoked: 0, balance: 0 });
      expect((await bench.store.ledger(W1, 10))[1]).to.include({ kind: 'revoke', operation: 'revoke: abuse' });
    });

    it('is told which argument is out of its bounds', async () => {
      const { credits } = bench;
      expect(await problem(credits.createPromo({ ...SPRING, code: 'no spaces' }))).to.include('code must be');
      expect(await problem(credits.createPromo({ ...SPRING, credits: 0 }))).to.include('credits must be');
      expect(await problem(credits.createPromo({ ...SPRING, walletsMax: 1e9 }))).to.include('wallets must be');
      expect(await problem(credits.createPromo({ ...SPRING, days: 1.5 }))).to.include('days must be');
      expect(await problem(credits.grant(W1, -1, 1, ''))).to.include('credits must be');
      expect(await problem(credits.grant(W1, 1, 0, ''))).to.include('days must be');
      expect(await problem(credits.grant(W1, 1, 1, 'x'.repeat(201)))).to.include('note must be');
      expect(await problem(credits.revokeCredits(W1, 0, ''))).to.include('credits must be');
      expect(await problem(credits.revokePromo('?'))).to.include('code must be');
    });
  });

  it('keep balance and ledger of the real store in step under any mix of concurrent changes', async () => {
    const change = fc.oneof(
      fc.record({
        do: fc.constant('grant'),
        credits: fc.integer({ min: 1, max: 30 }),
        days: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({
        do: fc.constantFrom('debit', 'revoke'),
        credits: fc.integer({ min: 1, max: 20 }),
        days: fc.constant(0),
      }),
      fc.record({ do: fc.constant('wait'), credits: fc.constant(0), days: fc.integer({ min: 0, max: 2 }) }),
    );
    let next = 1_000;
    const property = fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      const wallet = walletNumber(next++);
      const running: Promise<unknown>[] = [];
      for (const { do: what, credits, days } of changes) {
        if (what === 'wait') bench.clock.add(days * DAY);
        if (what === 'grant') running.push(bench.credits.grant(wallet, credits, days, ''));
        if (what === 'debit') running.push(bench.credits.charge(request({ bearer: bearerOf(wallet), credits })));
        if (what === 'revoke') running.push(bench.credits.revokeCredits(wallet, credits, ''));
      }
      await Promise.all(running);
      let balance = 0;
      for (const entry of await bench.store.ledger(wallet, 1_000)) {
        balance += entry.kind === 'grant' ? entry.credits : -entry.credits;
        expect(entry.balanceAfter).to.equal(balance).and.to.be.at.least(0);
      }
      const lots = (await bench.store.account(wallet))?.lots ?? [];
      expect(lots.reduce((sum, lot) => sum + lot.remaining, 0)).to.equal(balance);
      expect((await bench.credits.balanceOf(bearerOf(wallet))).balance).to.be.at.most(balance);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
