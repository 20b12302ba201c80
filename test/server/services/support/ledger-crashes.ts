import { expect } from 'chai';
import fc from 'fast-check';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';
import { bearerOf, buyPack, request } from './credits-home.js';
import type { LedgerBench } from './ledger-bench.js';
import { checkBalances, command, nextSerial, WALLETS, wallet } from './ledger-command.js';
import type { LedgerModel } from './ledger-model.js';

/**
 * When the process is lost: so many turns of the event loop after its work began, or in the moment
 * of the first answer.
 */
const moment = fc.constantFrom<number | 'answer'>(0, 1, 5, 20, 80, 'answer', 'answer');

async function letRun(until: number | 'answer', work: readonly Promise<unknown>[]): Promise<void> {
  if (until === 'answer') return void (await Promise.race(work));
  for (let turn = 0; turn < until; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Nobody knows any more which of the noted debits were answered. */
async function leave(model: LedgerModel, real: LedgerBench): Promise<void> {
  for (const n of WALLETS) model.leave(n, await real.unanswered(walletNumber(n)));
}

/**
 * The process is lost while debits are under way. Those that were answered are booked, and of the
 * others the first few.
 */
export const crashInDebits = command(
  'crash in debits',
  fc.record({ n: wallet, debits: fc.integer({ min: 1, max: 5 }), until: moment }),
  async (model, real, { n, debits, until }) => {
    const requested = Array.from({ length: debits }, () => `request-${nextSerial()}`);
    const answered: string[] = [];
    const work = requested.map(async (requestId) => {
      const { kind } = await real.credits.charge(request({ bearer: bearerOf(walletNumber(n)), requestId }));
      if (kind === 'charged') answered.push(requestId);
    });
    await letRun(until, work);
    const received = answered.length;
    real.crash();
    const booked = (await real.booked(walletNumber(n))).slice(model.wallet(n).charged.length);
    expect(booked, 'booked in another order than asked').to.deep.equal(requested.slice(0, booked.length));
    expect(booked.length, 'an answered debit is lost').to.be.at.least(received);
    for (const requestId of booked) expect(model.charge(n, null, 1, requestId)).to.include({ kind: 'charged' });
    await leave(model, real);
    const noted = await real.unanswered(walletNumber(n));
    const untold = booked.slice(received);
    expect(noted, 'a debit without an answer is not noted').to.include.members(untold);
    await checkBalances(model, real, n);
    real.note(
      booked.length === 0 ? 'crashed' : received > 0 ? 'crashed after debits' : 'crashed between write and answer',
    );
  },
);

/**
 * The process is lost while a purchase is settled. Either nothing of it is there and its payment is
 * still open, or all of it; and settling it again afterwards, as the next life does, gives it once.
 */
export const crashInPurchase = command(
  'crash in purchase',
  fc.record({ n: wallet, until: moment }),
  async (model, real, { n, until }) => {
    const owner = walletNumber(n);
    const row = samplePayment(nextSerial(), { operation: 'credits' }, owner);
    await real.store.transact({ payment: row.key }, () => ({ writes: { payment: row }, result: null }));
    let received = false;
    const work = buyPack(real, owner, row).then(() => {
      received = true;
    });
    await letRun(until, [work]);
    const mustBeThere = received;
    real.crash();
    await leave(model, real);
    const settled = (await real.store.payment(row.key))?.state === 'SETTLED';
    expect(settled || !mustBeThere, 'an answered purchase is lost').to.equal(true);
    const open = await real.store.openPayments(null, 10);
    expect(open).to.deep.equal({ items: settled ? [] : [row], faults: [], next: null });
    real.note(settled ? 'crashed after settling' : 'crashed before settling');
    if (!settled) await checkBalances(model, real, n);
    const facts = await buyPack(real, owner, row);
    model.give(n, 'purchase', 500, 365);
    model.mint(n, null, facts.token);
    await checkBalances(model, real, n);
  },
);
