import { expect } from 'chai';
import fc from 'fast-check';
import { debitCredits, grantLot, revokeCredits } from '#domain/credits/credit-changes';
import { type Account, balanceAt, emptyAccount, type LedgerEntry } from '#domain/credits/credits';
import { type AnswerOutcome, noteDebit, settleUnanswered } from '#domain/credits/unanswered';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { PROPERTY_RUNS } from '#test/support/size';

const WALLET = parseWallet(`0x${'a'.repeat(40)}`) as WalletAddress;

const at = (atMs: number, operation = 'grant', requestId: string | null = null) => ({ operation, requestId, atMs });
const give = (account: Account, credits: number, expiresAtMs: number, source = '') =>
  grantLot(account, { kind: 'promo', credits, expiresAtMs, source }, at(0)).account;

/** Debits with a note. Throws where there is too little. */
function spend(account: Account, credits: number, id: string, atMs = 0): Account {
  const debit = debitCredits(account, credits, at(atMs, 'preflight_trade', `request ${id}`));
  if (debit.kind !== 'debited') throw new Error('too few credits');
  return noteDebit(account, debit, id);
}

const settle = (account: Account, outcome: AnswerOutcome, atMs = 0) => settleUnanswered(account, () => outcome, atMs);

describe('a debit whose answer may not have gone out', () => {
  const full = give(give(emptyAccount(WALLET), 2, 100, 'A'), 5, 200, 'B');

  it('is given back to the lots that it came from, also to one that it used up, with an entry that explains it', () => {
    const spent = spend(full, 3, 'one');
    const { account, entries } = settle(spent, 'lost', 50);
    expect(account).to.deep.equal({ ...full, lastEntry: 4 });
    expect(entries).to.deep.equal([
      {
        wallet: WALLET,
        number: 4,
        kind: 'refund',
        credits: 3,
        balanceAfter: 7,
        atMs: 50,
        operation: 'refund preflight_trade',
        requestId: 'request one',
        lots: [
          { lotId: 1, credits: 2 },
          { lotId: 2, credits: 1 },
        ],
      },
    ] satisfies LedgerEntry[]);
  });

  it('is forgotten without an entry once it is answered, and stays as it is while nothing is known', () => {
    const spent = spend(full, 3, 'one');
    expect(settle(spent, 'answered')).to.deep.equal({ account: { ...spent, unanswered: [] }, entries: [] });
    expect(settle(spent, 'open').account).to.equal(spent);
  });

  it('is given back once', () => {
    const { account } = settle(spend(full, 3, 'one'), 'lost');
    expect(settle(account, 'lost')).to.deep.equal({ account, entries: [] });
  });

  it('is not given back to a lot that was taken back whole, and to the others as much as came from them', () => {
    const spent = spend(full, 3, 'one');
    const revoked = revokeCredits(spent, 'all', at(0), ({ source }) => source === 'A').account;
    const { account } = settle(revoked, 'lost');
    expect(account.lots.map(({ source, remaining }) => [source, remaining])).to.deep.equal([['B', 5]]);
    const none = revokeCredits(spent, 'all', at(0)).account;
    expect(settle(none, 'lost').account.lots).to.deep.equal([]);
  });

  it('gives back what has expired meanwhile as well, and it is booked as expired with the next change', () => {
    const { account } = settle(spend(full, 3, 'one'), 'lost', 150);
    expect(balanceAt(account, 150)).to.equal(5);
    const entries = debitCredits(account, 1, at(150)).entries.map(({ kind, credits }) => [kind, credits]);
    expect(entries).to.deep.equal([
      ['expire', 2],
      ['debit', 1],
    ]);
  });

  it('is not given back once all of its credits were taken back', () => {
    const spent = spend(full, 2, 'one');
    const revoked = revokeCredits(spent, 'all', at(0), ({ source }) => source === 'A');
    expect([revoked.revoked, revoked.account.unanswered]).to.deep.equal([0, []]);
    expect(revokeCredits(spent, 'all', at(0), ({ source }) => source === 'B').account.unanswered).to.have.length(1);
    expect(revokeCredits(spent, 1, at(0)).account.unanswered).to.have.length(1);
  });

  it('leaves, with any others in any order, what would be there if the lost ones had not been made', () => {
    const lots = fc.array(fc.record({ credits: fc.integer({ min: 1, max: 9 }), end: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    const debits = fc.array(fc.record({ credits: fc.integer({ min: 1, max: 6 }), lost: fc.boolean() }), {
      maxLength: 6,
    });
    const property = fc.property(lots, debits, (given, wanted) => {
      let account = emptyAccount(WALLET);
      for (const { credits, end } of given) account = give(account, credits, end * 100);
      const before = balanceAt(account, 0);
      const lost = new Set<string>();
      let answered = 0;
      for (const [i, { credits, lost: isLost }] of wanted.entries()) {
        if (balanceAt(account, 0) < credits) continue;
        account = spend(account, credits, `${i}`);
        if (isLost) lost.add(`${i}`);
        else answered += credits;
      }
      const { account: after } = settleUnanswered(account, ({ id }) => (lost.has(id) ? 'lost' : 'answered'), 0);
      expect(balanceAt(after, 0)).to.equal(before - answered);
      expect(after.unanswered).to.deep.equal([]);
      const order = after.lots.map(({ expiresAtMs, id }) => expiresAtMs * 1_000 + id);
      expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
      for (const { remaining, credits } of after.lots) expect(remaining).to.be.within(1, credits);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
