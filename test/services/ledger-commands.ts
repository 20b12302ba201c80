import { expect } from 'chai';
import fc from 'fast-check';
import type { PaymentRow } from '#domain/payment-row';
import { samplePayment } from '../contract/sample-payment.js';
import { walletNumber } from '../contract/store.contract.js';
import { bearerOf, buyPack, request } from './credits-home.js';
import type { LedgerBench } from './ledger-bench.js';
import type { LedgerModel } from './ledger-model.js';

type Command = fc.AsyncCommand<LedgerModel, LedgerBench>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WALLETS = [1, 2] as const;
const CODES = ['SPRING', 'SUMMER', 'AUTUMN'] as const;

/** Numbers every payment and request of a run, so that no two are the same. */
let serial = 0;

/** Makes a command out of what it was drawn with; `run` does it to both and compares. */
function command<Args>(
  name: string,
  args: fc.Arbitrary<Args>,
  run: (model: LedgerModel, real: LedgerBench, args: Args) => Promise<void>,
): fc.Arbitrary<Command> {
  return args.map((drawn) => ({
    check: () => true,
    run: (model, real) => run(model, real, drawn),
    toString: () => `${name} ${JSON.stringify(drawn)}`,
  }));
}

const wallet = fc.constantFrom(...WALLETS);
const code = fc.constantFrom(...CODES);
const some = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) }, fc.integer({ min: 1, max: 700 }));
const scope = fc.constantFrom('purchase' as const, 'promo' as const);

/** Both scopes of a wallet see what they should. */
export async function checkBalances(model: LedgerModel, real: LedgerBench, n: number): Promise<void> {
  for (const each of ['purchase', 'promo'] as const) {
    const told = await real.credits.balanceOf(bearerOf(walletNumber(n), each));
    expect(told, `balance of wallet ${n} for a ${each} token`).to.deep.equal(model.balance(n, each));
  }
}

const purchase = command('purchase', fc.record({ n: wallet }), async (model, real, { n }) => {
  const row = samplePayment(++serial, { operation: 'credits' }, walletNumber(n));
  const facts = await buyPack(real, walletNumber(n), row);
  model.give(n, 'purchase', 500, 365);
  model.mint(n, 'purchase', facts.token);
  const { balance } = model.balance(n, 'purchase');
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
    if (result.token !== null) model.mint(n, 'purchase', result.token);
    expect(result.balance).to.equal(model.balance(n, 'purchase').balance);
    real.note(result.token === null ? 'granted' : 'granted with a token');
  },
);

/** A call with some token of the wallet, valid or not, or for somebody who has none. */
const debit = command(
  'debit',
  fc.record({
    n: wallet,
    pick: fc.nat(),
    scope,
    credits: some,
    key: fc.constantFrom(null, 'k1', 'k2'),
    fingerprint: fc.constantFrom('f1', 'f1', 'f2'),
  }),
  async (model, real, { n, pick, scope: otherwise, credits, key, fingerprint }) => {
    const { minted } = model.wallet(n);
    const token = minted[pick % Math.max(1, minted.length)];
    const bearer = token === undefined ? bearerOf(walletNumber(n), otherwise) : await real.credits.authenticate(token);
    if (token !== undefined) expect(bearer?.scope ?? null).to.equal(model.scopeOf(n, token));
    if (bearer === null) return real.note('token refused');
    const requestId = `request-${++serial}`;
    const idempotency = key === null ? null : { key, fingerprint };
    const result = await real.credits.charge(request({ bearer, credits, requestId, idempotency }));
    real.note(result.kind);
    const kept = key === null ? { kind: 'none' as const } : model.answer(n, key, fingerprint);
    if (kept.kind === 'conflict') return void expect(result).to.deep.equal(kept);
    if (kept.kind === 'found') return void expect(result).to.deep.equal({ kind: 'replayed', body: kept.body });
    const due = model.charge(n, bearer.scope, credits, requestId);
    if (due.kind === 'charged') {
      const paid = { creditsUsed: credits, creditsRemaining: due.remaining };
      expect(result).to.deep.equal({ kind: 'charged', body: JSON.stringify(paid), ...paid });
      if (key !== null) model.keep(n, key, fingerprint, JSON.stringify(paid));
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
  model.mint(n, 'promo', result.token);
  expect(result.balance, 'a redeemer is told of promo credits only').to.equal(model.balance(n, 'promo').balance);
  await checkBalances(model, real, n);
});

const wait = command(
  'wait',
  fc.record({ ms: fc.constantFrom(0, 1, HOUR, HOUR, DAY - 1, DAY, DAY, 2 * DAY, 30 * DAY, 335 * DAY, 365 * DAY) }),
  async (model, real, { ms }) => {
    model.nowMs += ms;
    real.nowMs += ms;
    for (const n of WALLETS) await checkBalances(model, real, n);
  },
);

const revokeCredits = command(
  'revoke credits',
  fc.record({ n: wallet, credits: fc.oneof(some, fc.constant('all' as const)) }),
  async (model, real, { n, credits }) => {
    const revoked = model.take(model.spendable(n, 'purchase'), credits === 'all' ? Number.POSITIVE_INFINITY : credits);
    const { balance } = model.balance(n, 'purchase');
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
    const given = model.spendable(n, 'promo').filter((gift) => gift.code === name);
    const taken = model.take(given, Number.POSITIVE_INFINITY);
    creditsTakenBack += taken;
    wallets += taken > 0 ? 1 : 0;
  }
  expect(result).to.deep.equal({ kind: 'revoked', code: name, creditsTakenBack, wallets });
  real.note('promo revoked');
  for (const n of WALLETS) await checkBalances(model, real, n);
});

const revokeTokens = command(
  'revoke tokens',
  fc.record({ n: wallet, pick: fc.option(fc.nat(), { freq: 4 }) }),
  async (model, real, { n, pick }) => {
    const { valid, minted } = model.wallet(n);
    const token = pick === null ? undefined : minted[pick % Math.max(1, minted.length)];
    const ended = (one: string) => token === undefined || one === token;
    const revoked = [...valid.purchase, ...valid.promo].filter(ended).length;
    for (const each of ['purchase', 'promo'] as const) valid[each] = valid[each].filter((one) => !ended(one));
    const target = token === undefined ? { wallet: walletNumber(n) } : { token };
    expect(await real.credits.revokeTokens(target)).to.deep.equal({ revoked });
  },
);

const reopen = command('reopen', fc.constant({}), async (_, real) => {
  await real.reopen();
  real.note('reopened');
});

/** When the process is lost: so many turns of the event loop after its work began, or in the moment of the first answer. */
const moment = fc.constantFrom<number | 'answer'>(0, 1, 5, 20, 80, 'answer', 'answer');

async function letRun(until: number | 'answer', work: readonly Promise<unknown>[]): Promise<void> {
  if (until === 'answer') return void (await Promise.race(work));
  for (let turn = 0; turn < until; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The process is lost while debits are under way. Those that were answered are booked, and of the others the first few. */
const crashInDebits = command(
  'crash in debits',
  fc.record({ n: wallet, debits: fc.integer({ min: 1, max: 5 }), until: moment }),
  async (model, real, { n, debits, until }) => {
    const asked = Array.from({ length: debits }, () => `request-${++serial}`);
    const answered: string[] = [];
    const work = asked.map(async (requestId) => {
      const { kind } = await real.credits.charge(request({ bearer: bearerOf(walletNumber(n)), requestId }));
      if (kind === 'charged') answered.push(requestId);
    });
    await letRun(until, work);
    const told = answered.length;
    real.crash();
    const booked = (await real.booked(walletNumber(n))).slice(model.wallet(n).charged.length);
    expect(booked, 'booked in another order than asked').to.deep.equal(asked.slice(0, booked.length));
    expect(booked.length, 'an answered debit is lost').to.be.at.least(told);
    for (const requestId of booked) expect(model.charge(n, 'purchase', 1, requestId)).to.include({ kind: 'charged' });
    await checkBalances(model, real, n);
    real.note(booked.length === 0 ? 'crashed' : told > 0 ? 'crashed after debits' : 'crashed between write and answer');
  },
);

/**
 * The process is lost while a purchase is settled. Either nothing of it is there and its payment is still open, or all of it; and
 * settling it again afterwards, as the next life does, gives it once.
 */
const crashInPurchase = command(
  'crash in purchase',
  fc.record({ n: wallet, until: moment }),
  async (model, real, { n, until }) => {
    const owner = walletNumber(n);
    const row = samplePayment(++serial, { operation: 'credits' }, owner);
    await real.store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    let told = false;
    const work = buyPack(real, owner, row).then(() => {
      told = true;
    });
    await letRun(until, [work]);
    const mustBeThere = told;
    real.crash();
    const settled = (await real.store.payment(row.key))?.state === 'SETTLED';
    expect(settled || !mustBeThere, 'an answered purchase is lost').to.equal(true);
    const open = await real.store.openPayments(null, 10);
    expect(open).to.deep.equal({ items: settled ? [] : [row], faults: [], next: null });
    real.note(settled ? 'crashed after settling' : 'crashed before settling');
    if (!settled) await checkBalances(model, real, n);
    const facts = await buyPack(real, owner, row);
    model.give(n, 'purchase', 500, 365);
    model.mint(n, 'purchase', facts.token);
    await checkBalances(model, real, n);
  },
);

const times = (count: number, one: fc.Arbitrary<Command>) => Array<fc.Arbitrary<Command>>(count).fill(one);

/** Everything that can happen to the ledger. What gives comes more often than what takes all away. */
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
