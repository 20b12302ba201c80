import { expect } from 'chai';
import fc from 'fast-check';
import { nameOfCode } from '#services/credits/promo-names';
import { walletNumber } from '#test/contract/store.contract';
import { LEDGER_SEQUENCES } from '#test/support/size';
import { CREDIT_SECRETS } from '#test/support/store-secrets';
import { WAIT_MS } from '#test/support/time-limits';
import { bearerOf } from '../support/credits-home.js';
import { LedgerBench, type Seen } from '../support/ledger-bench.js';
import { CODES, checkBalances } from '../support/ledger-command.js';
import { ledgerCommands } from '../support/ledger-commands.js';
import { LedgerModel } from '../support/ledger-model.js';

/** Far more than a history takes, on a slow disk too. */
const SEQUENCE_MS_MAX = 500;
/** Outcomes without which a run has shown nothing; a few histories need not come to each. */
const SEQUENCES_FOR_USUAL = 100;
const USUAL = ['purchased', 'charged', 'insufficient', 'replayed', 'conflict', 'redeemed', 'token refused'];

/** Every balance, token, promo code and ledger of the store is as the model has it. */
async function checkAll(model: LedgerModel, real: LedgerBench): Promise<void> {
  for (const [n, { minted }] of model.wallets) {
    await checkBalances(model, real, n);
    await checkLedger(model, real, n);
    for (const token of minted) {
      const valid = model.tokenOf(n, token);
      const bearer = valid === null ? null : bearerOf(walletNumber(n), valid.code);
      expect(await real.credits.authenticate(token)).to.deep.equal(bearer);
    }
    for (const by of [null, ...CODES]) {
      for (const key of ['k1', 'k2']) {
        const stored = await real.credits.findAnswer({ ...bearerOf(walletNumber(n), by), key }, 'f1');
        expect(stored).to.deep.equal(model.answer(n, by, key, 'f1'));
      }
    }
  }
  await checkPromos(model, real);
  expect(await real.store.openPayments(null, 10)).to.deep.equal({ items: [], faults: [], next: null });
}

/**
 * The ledger has no gaps, adds up to what the lots hold, debits each request that was charged, once
 * and in order, and gives what it gives back once.
 */
async function checkLedger(model: LedgerModel, real: LedgerBench, n: number): Promise<void> {
  const ledger = await real.store.ledger(walletNumber(n), 10_000);
  let balance = 0;
  for (const [i, entry] of ledger.entries()) {
    balance += ['grant', 'refund'].includes(entry.kind) ? entry.credits : -entry.credits;
    expect(entry).to.include({ number: i + 1, balanceAfter: balance });
    expect(entry.lots.reduce((sum, { credits }) => sum + credits, 0)).to.equal(entry.credits);
  }
  const lots = (await real.store.account(walletNumber(n)))?.lots ?? [];
  expect(lots.reduce((sum, { remaining }) => sum + remaining, 0)).to.equal(balance);
  expect(await real.booked(walletNumber(n))).to.deep.equal(model.wallet(n).charged);
  const refunds = ledger.filter(({ kind }) => kind === 'refund').map(({ requestId }) => requestId);
  expect(new Set(refunds).size, 'a debit given back twice').to.equal(refunds.length);
}

async function checkPromos(model: LedgerModel, real: LedgerBench): Promise<void> {
  const promos = await real.credits.listPromos();
  expect(promos.map(({ code }) => code)).to.deep.equal([...model.promos.keys()].sort());
  for (const { code, redeemed, revokedAtMs } of promos) {
    const { wallets, revoked } = model.promos.get(code)!;
    const { items } = await real.store.redemptions(nameOfCode(CREDIT_SECRETS, code), null, 100);
    expect([redeemed, revokedAtMs !== null]).to.deep.equal([wallets.length, revoked]);
    expect(items.map(({ wallet }) => wallet)).to.deep.equal([...wallets].sort().map(walletNumber));
  }
}

describe('the ledger', () => {
  it('agrees with a plain model through any history of purchases, debits, codes, time, revocations and crashes', async function () {
    this.timeout(WAIT_MS + LEDGER_SEQUENCES * SEQUENCE_MS_MAX);
    const seen: Seen = new Map();
    const property = fc.asyncProperty(ledgerCommands, async (commands) => {
      const [model, real] = [new LedgerModel(), await LedgerBench.open(seen)];
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await checkAll(model, real);
      } finally {
        await real.remove();
      }
    });
    await fc.assert(property, { numRuns: LEDGER_SEQUENCES });
    const counts = [...seen].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`);
    console.log(`      ${LEDGER_SEQUENCES} histories: ${counts.join(', ')}`);
    if (LEDGER_SEQUENCES >= SEQUENCES_FOR_USUAL) expect([...seen.keys()]).to.include.members(USUAL);
  });
});
