import { expect } from 'chai';
import type { Rows, Store } from '#ports/store';
import { AnswerOutcomes } from '#services/credits/answer-outcomes';
import { settleDebits } from '#services/credits/refunds';
import { NOTHING_LAPSES_MS } from '#services/time/believed-clock';
import { walletNumber } from '#test/contract/store.contract';

const NOW_MS = Date.UTC(2026, 10, 22);
const WALLET = walletNumber(1);
/** After this long a debit of another process is lost. */
const OTHERS_MS = 30_000;

/** What a process knows of debits whose life begins with this byte and ends with that one. */
const processOf = (first: number, last: number) =>
  new AnswerOutcomes({ bytes: (length) => new Uint8Array(length).fill(first, 0, length - 1).fill(last, length - 1) });

const noted = (id: string, atMs: number) => ({ id, atMs, operation: 'preflight_trade', requestId: 'r', lots: [] });

describe('the outcome of a debit that nobody can repeat', () => {
  it('is open while it is under way, answered after its answer, and lost where its caller was told so', () => {
    const own = processOf(1, 1);
    const [open, answered, lost, dropped] = [own.begin(), own.begin(), own.begin(), own.begin()];
    own.answered(answered, WALLET);
    own.lost(lost, WALLET);
    own.dropped(dropped);
    const outcomes = [open, answered, lost].map((number) =>
      own.outcomeOf(noted(own.idOf(number), NOW_MS - 2 * OTHERS_MS), NOW_MS),
    );
    expect(outcomes).to.deep.equal(['open', 'answered', 'lost']);
    expect([...own.takeWallets()]).to.deep.equal([[WALLET, [own.idOf(lost)]]]);
  });

  it('of another process is lost after 30 s by a time that is known, whichever way the clock was set', () => {
    const [own, other] = [processOf(1, 1), processOf(2, 1)];
    const id = other.idOf(other.begin());
    const cases = [OTHERS_MS - 1, OTHERS_MS, 1 - OTHERS_MS, -OTHERS_MS];
    const outcomes = cases.map((agoMs) => own.outcomeOf(noted(id, NOW_MS - agoMs), NOW_MS));
    expect(outcomes).to.deep.equal(['open', 'lost', 'open', 'lost']);
    expect(own.outcomeOf(noted(id, NOW_MS), NOTHING_LAPSES_MS), 'while no time is known').to.equal('open');
  });

  it('is not taken for that of another process whose name begins alike', () => {
    const [own, alike] = [processOf(1, 1), processOf(1, 9)];
    const id = alike.idOf(alike.begin());
    expect(id[0]).to.equal(own.idOf(0)[0]);
    expect(own.outcomeOf(noted(id, NOW_MS), NOW_MS)).to.equal('open');
    expect(own.outcomeOf(noted(id, NOW_MS - OTHERS_MS), NOW_MS)).to.equal('lost');
  });

  it('is known of a bounded number that are lost: beyond, nothing is debited that nobody can repeat', () => {
    const own = processOf(1, 1);
    for (let n = 0; n < 10_000; n++) own.lost(own.begin(), WALLET);
    expect(() => own.begin()).to.throw('too many debits may have to be given back');
    own.forget([own.idOf(0)]);
    expect(own.begin()).to.equal(10_000);
  });

  it('is forgotten once a later look at the wallet has ended, and not when that failed', async () => {
    const own = processOf(1, 1);
    const number = own.begin();
    own.lost(number, WALLET);
    const clock = { nowMs: () => NOW_MS };
    const settle = (transact: Store['transact']) =>
      settleDebits({ store: { transact }, clock, lapses: clock, outcomes: own }).catch(() => 'failed');
    expect(await settle(() => Promise.reject(new Error('the store is away')))).to.equal('failed');
    expect([...own.takeWallets()]).to.deep.equal([[WALLET, [own.idOf(number)]]]);
    const absent = { account: null } as Rows;
    expect(await settle(async (_, decide) => decide(absent).result)).to.equal(undefined);
    expect([...own.takeWallets()]).to.deep.equal([]);
  });
});
