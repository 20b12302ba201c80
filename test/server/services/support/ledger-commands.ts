import { expect } from 'chai';
import fc from 'fast-check';
import type { PaymentRow } from '#domain/payment/payment-row';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { bearerOf, buyPack, request } from './credits-home.js';
import {
  CODES,
  type Command,
  checkBalances,
  codeOf,
  command,
  DAY,
  HOUR,
  nextSerial,
  WALLETS,
  wallet,
} from './ledger-command.js';
import { crashInDebits, crashInPurchase } from './ledger-crashes.js';

const code = fc.constantFrom(...CODES);
const some = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) }, fc.integer({ min: 1, max: 700 }));
const by = fc.constantFrom(null, ...CODES);

const purchase = command('purchase', fc.record({ n: wallet }), async (model, real, { n }) => {
  const row = samplePayment(nextSerial(), { operation: 'credits' }, walletNumber(n));
  const facts = await buyPack(real, walletNumber(n), row);
  model.give(n, 'purchase', 500, 365);
  model.mint(n, null, facts.token);
  const { balance } = model.balance(n, null);
  expect(facts).to.deep.include({ creditsAdded: 500, balance, expiresAtMs: model.nowMs + 365 * DAY });
  const settled = (await real.store.payment(row.key)) as PaymentRow;
  expect(await buyPack(real, walletNumber(n), settled), 'the same payment again').to.deep.equal(facts);
  await checkBalances(model, real, n);
  real.note('purchased');
});

const grant = command(
  'grant',
  fc.record({ n: wallet, credits: some, days: fc.constantFrom(1, 2, 30, 365, 400) }),
  async (model, real, { n, credits, days }) => {
    const result = await real.credits.grant(walletNumber(n), credits, days, '');
    model.give(n, 'grant', credits, days);
    expect(result.token === null, 'minted only where none is valid').to.equal(
      model.wallet(n).valid.purchase.length > 0,
    );
    if (result.token !== null) model.mint(n, null, result.token);
    expect(result.balance).to.equal(model.balance(n, null).balance);
    real.note(result.token === null ? 'granted' : 'granted with a token');
  },
);

/** A call with some token of the wallet, valid or not, or for somebody who has none. */
const debit = command(
  'debit',
  fc.record({
    n: wallet,
    pick: fc.nat(),
    by,
    credits: some,
    key: fc.constantFrom(null, 'k1', 'k2'),
    fingerprint: fc.constantFrom('f1', 'f1', 'f2'),
  }),
  async (model, real, { n, pick, by: otherwise, credits, key, fingerprint }) => {
    const { minted } = model.wallet(n);
    const token = minted[pick % Math.max(1, minted.length)];
    const bearer = token === undefined ? bearerOf(walletNumber(n), otherwise) : await real.credits.authenticate(token);
    if (bearer === null) {
      expect(model.tokenOf(n, token!)).to.equal(null);
      return real.note('token refused');
    }
    const spends = codeOf(bearer);
    if (token !== undefined) expect(spends).to.equal(model.tokenOf(n, token)?.code);
    const requestId = `request-${nextSerial()}`;
    const idempotency = key === null ? null : { key, fingerprint };
    const result = await real.credits.charge(request({ bearer, credits, requestId, idempotency }));
    real.note(result.kind);
    const stored = key === null ? { kind: 'none' as const } : model.answer(n, spends, key, fingerprint);
    if (stored.kind === 'conflict') return void expect(result).to.deep.equal(stored);
    if (stored.kind === 'found') return void expect(result).to.deep.equal({ ...stored, kind: 'replayed' });
    const due = model.charge(n, spends, credits, requestId);
    if (due.kind === 'charged') {
      const paid = { creditsUsed: credits, creditsRemaining: due.remaining };
      expect(result).to.deep.equal({ kind: 'charged', body: JSON.stringify(paid), madeAtMs: model.nowMs, ...paid });
      if (key !== null) model.keep(n, spends, key, fingerprint, JSON.stringify(paid));
    } else expect(result).to.deep.equal({ ...due, required: credits });
    await checkBalances(model, real, n);
  },
);

const createPromo = command(
  'create promo',
  fc.record({ code, credits: fc.integer({ min: 1, max: 60 }), walletsMax: fc.constantFrom(1, 9), days: fc.nat(9) }),
  async (model, real, { code: name, credits, walletsMax, days }) => {
    const made = await real.credits.createPromo({ code: name, credits, walletsMax, days: days + 1 });
    expect(made).to.equal(model.promos.has(name) ? 'exists' : 'created');
    if (made === 'exists') return;
    const expiresAtMs = model.nowMs + (days + 1) * DAY;
    model.promos.set(name, { credits, walletsMax, expiresAtMs, wallets: [], revoked: false });
  },
);

const redeem = command('redeem', fc.record({ n: wallet, code }), async (model, real, { n, code: name }) => {
  const result = await real.credits.redeem(name, walletNumber(n));
  expect(result.kind).to.equal(model.redeem(n, name));
  real.note(result.kind);
  if (result.kind !== 'redeemed') return;
  model.mint(n, name, result.token);
  expect(result.balance, 'a redeemer sees the credits of this code only').to.equal(model.balance(n, name).balance);
  await checkBalances(model, real, n);
});

const wait = command(
  'wait',
  fc.record({ ms: fc.constantFrom(0, 1, HOUR, HOUR, DAY - 1, DAY, DAY, 2 * DAY, 30 * DAY, 335 * DAY, 365 * DAY) }),
  async (model, real, { ms }) => {
    // As the running service does every second.
    if (ms > 1_000) await real.credits.settleDebits();
    model.nowMs += ms;
    real.nowMs += ms;
    for (const n of WALLETS) {
      const refunds = model.refund(n);
      await checkBalances(model, real, n);
      if (refunds === 0) continue;
      // Seen in the balance at once, and booked with the wallet's next call, whatever comes of it.
      const tooMuch = request({ bearer: bearerOf(walletNumber(n)), credits: 1_000_000_000 });
      expect(await real.credits.charge(tooMuch)).to.include({ kind: 'insufficient' });
      await checkBalances(model, real, n);
      real.note('refunded');
    }
  },
);

const revokeCredits = command(
  'revoke credits',
  fc.record({ n: wallet, credits: fc.oneof(some, fc.constant('all' as const)) }),
  async (model, real, { n, credits }) => {
    if (credits === 'all') model.forgive(n, () => true);
    const revoked = model.take(model.spendable(n, null), credits === 'all' ? Number.POSITIVE_INFINITY : credits);
    const { balance } = model.balance(n, null);
    expect(await real.credits.revokeCredits(walletNumber(n), credits, '')).to.deep.equal({ revoked, balance });
    await checkBalances(model, real, n);
  },
);

const revokePromo = command('revoke promo', fc.record({ code }), async (model, real, { code: name }) => {
  const promo = model.promos.get(name);
  const result = await real.credits.revokePromo(name);
  if (promo === undefined) return void expect(result.kind).to.equal('unknown_code');
  promo.revoked = true;
  let [creditsTakenBack, wallets] = [0, 0];
  for (const n of promo.wallets) {
    model.forgive(n, (gift) => gift.code === name);
    const given = model.spendable(n, name);
    const taken = model.take(given, Number.POSITIVE_INFINITY);
    creditsTakenBack += taken;
    wallets += taken > 0 ? 1 : 0;
  }
  expect(result).to.deep.include({ kind: 'revoked', code: name, creditsTakenBack, wallets });
  real.note('promo revoked');
  for (const n of WALLETS) await checkBalances(model, real, n);
});

const revokeTokens = command(
  'revoke tokens',
  fc.record({ n: wallet, pick: fc.option(fc.nat(), { freq: 4 }) }),
  async (model, real, { n, pick }) => {
    const { valid, minted } = model.wallet(n);
    const token = pick === null ? undefined : minted[pick % Math.max(1, minted.length)];
    const ended = (one: { readonly token: string }) => token === undefined || one.token === token;
    const revoked = [...valid.purchase, ...valid.promo].filter(ended).length;
    for (const each of ['purchase', 'promo'] as const) valid[each] = valid[each].filter((one) => !ended(one));
    const target = token === undefined ? { wallet: walletNumber(n) } : { token };
    expect(await real.credits.revokeTokens(target)).to.deep.equal({ revoked });
  },
);

const reopen = command('reopen', fc.constant({}), async (model, real) => {
  await real.reopen();
  for (const n of WALLETS) model.leave(n, await real.unanswered(walletNumber(n)));
  real.note('reopened');
});

const times = (count: number, one: fc.Arbitrary<Command>) => Array<fc.Arbitrary<Command>>(count).fill(one);

/**
 * Everything that can happen to the ledger. What gives comes more often than what takes all away.
 */
export const ledgerCommands = fc.commands(
  [
    ...times(3, purchase),
    ...times(2, grant),
    ...times(8, debit),
    ...times(3, createPromo),
    ...times(4, redeem),
    ...times(2, wait),
    ...times(2, crashInDebits),
    crashInPurchase,
    ...[revokeCredits, revokePromo, revokeTokens, reopen],
  ],
  { maxCommands: 40, size: 'max' },
);
