import { expect } from 'chai';
import { emptyAccount, firstExpiryMs } from '#domain/credits/credits';
import { decidePurchase, type SettledPurchase } from '#services/credits/purchase';
import { findToken, presentToken } from '#services/credits/token-secrets';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { bearerOf, buyPack, type CreditsBench, makeCredits, START_MS } from '../support/credits-home.js';

const DAY = 86_400_000;
const W1 = walletNumber(1);
const SETTLED: SettledPurchase = {
  wallet: W1,
  requestId: 'request-1',
  transaction: `0x${'ab'.repeat(32)}`,
  nowMs: START_MS,
  secret: new Uint8Array(32).fill(7),
};

describe('a credit pack that was paid for', () => {
  it('gives 500 credits for 365 days, with the transaction as their source, and a purchase token', () => {
    const { writes, facts } = decidePurchase({ account: null, tokens: null }, SETTLED);
    const expiresAtMs = START_MS + 365 * DAY;
    const { token, ...others } = facts;
    expect(others).to.deep.equal({ wallet: W1, creditsAdded: 500, balance: 500, expiresAtMs });
    expect(writes.change.account.lots).to.deep.equal([
      {
        id: 1,
        kind: 'purchase',
        credits: 500,
        remaining: 500,
        grantedAtMs: START_MS,
        expiresAtMs,
        source: SETTLED.transaction,
      },
    ]);
    expect(writes.change.entries).to.have.length(1);
    expect(writes.change.entries[0]).to.include({ kind: 'grant', operation: 'purchase', requestId: 'request-1' });
    expect(findToken(writes.tokens, presentToken(token)!.secretHash)).to.include({
      scope: 'purchase',
      code: null,
      issuedAtMs: START_MS,
    });
  });

  it('decides the same however often it is asked', () => {
    const rows = { account: emptyAccount(W1), tokens: null };
    expect(decidePurchase(rows, SETTLED)).to.deep.equal(decidePurchase(rows, SETTLED));
  });

  it('tells the whole balance, without what has expired meanwhile', () => {
    const first = decidePurchase({ account: null, tokens: null }, SETTLED).writes;
    const rows = { account: first.change.account, tokens: first.tokens };
    const second = decidePurchase(rows, { ...SETTLED, nowMs: START_MS + DAY });
    expect(second.facts.balance).to.equal(1_000);
    expect(firstExpiryMs(second.writes.change.account, START_MS + DAY)).to.equal(START_MS + 365 * DAY);
    expect(second.writes.tokens.tokens).to.have.length(2);
    const late = decidePurchase(rows, { ...SETTLED, nowMs: START_MS + 365 * DAY });
    expect(late.facts.balance).to.equal(500);
    expect(late.writes.change.entries.map(({ kind }) => kind)).to.deep.equal(['grant']);
  });

  it('refuses a secret that is too short to be one', () => {
    const short = { ...SETTLED, secret: new Uint8Array(31) };
    expect(() => decidePurchase({ account: null, tokens: null }, short)).to.throw(RangeError, '32 bytes');
  });

  describe('in the store', () => {
    let bench: CreditsBench;
    beforeEach(async () => {
      bench = await makeCredits();
    });
    afterEach(() => bench.remove());

    it('is given together with the state of its payment, and its token opens the wallet', async () => {
      const row = samplePayment(1, { operation: 'credits' }, W1);
      const { token } = await buyPack(bench, W1, row);
      expect(await bench.store.payment(row.key)).to.include({ state: 'SETTLED', open: false });
      expect(await bench.credits.authenticate(token)).to.deep.equal(bearerOf(W1));
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(500);
    });

    it('is given once, however often its payment is settled', async () => {
      const row = samplePayment(1, { operation: 'credits' }, W1);
      const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => buyPack(bench, W1, row)));
      for (const other of others) expect(other).to.deep.equal(first);
      expect((await bench.credits.balanceOf(bearerOf(W1))).balance).to.equal(500);
      expect((await bench.store.tokens(W1))?.tokens).to.have.length(1);
    });

    it('adds up over purchases of one wallet, whose last five tokens stay valid', async () => {
      const bought = await Promise.all(Array.from({ length: 7 }, () => buyPack(bench, W1)));
      expect(bought.map(({ balance }) => balance)).to.deep.equal([500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500]);
      const valid = await Promise.all(bought.map(({ token }) => bench.credits.authenticate(token)));
      expect(valid.map((bearer) => bearer !== null)).to.deep.equal([false, false, true, true, true, true, true]);
    });
  });
});
