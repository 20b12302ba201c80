import { expect } from 'chai';
import { throwDice } from '#test/support/killed-process';
import type { Call, Requested } from './calls.js';
import { linearize } from './linearizable.js';
import { WalletModel } from './wallet-model.js';

const HISTORIES = 100;
const CALLS = 200;
const CLIENTS = 6;

const call = (requested: Requested, beganMs: number, endedMs: number, sent = 1): Call => ({
  requested,
  beganMs,
  endedMs,
  sent,
});
const charged = (key: string, left: number, isReplay = false): Requested => ({
  ...{ kind: 'charge', key },
  seen: { kind: 'charged', left, isReplay },
});
const read = (balance: number): Requested => ({ kind: 'read', seen: { balance } });
const never = Number.POSITIVE_INFINITY;
const kindOf = (calls: readonly Call[], balance = 10) => linearize(calls, balance).kind;

describe('the checker of histories', () => {
  it('accepts calls that overlap in any order that explains what they saw', () => {
    const calls = [call(charged('a', 8), 0, 5), call(charged('b', 9), 1, 4), call(read(9), 2, 3)];
    expect(kindOf(calls)).to.equal('linearizable');
  });

  it('finds an acknowledged debit that was lost', () => {
    expect(kindOf([call(charged('a', 9), 0, 1), call(read(10), 2, 3)])).to.equal('not linearizable');
    expect(kindOf([call(charged('a', 9), 0, 1), call(charged('b', 9), 2, 3)])).to.equal('not linearizable');
  });

  it('finds a key that was charged twice', () => {
    const twice = [call(charged('a', 9), 0, 1), call(charged('a', 8), 2, 3)];
    expect(kindOf(twice)).to.equal('not linearizable');
    const hidden = [call(charged('a', 9), 0, 1), call(charged('a', 9, true), 2, 3), call(read(8), 4, 5)];
    expect(kindOf(hidden)).to.equal('not linearizable');
  });

  it('finds a code that a wallet redeemed twice, a grant that is gone, and a balance of the past', () => {
    const redeem = (seen: 'redeemed' | 'already'): Requested => ({ kind: 'redeem', code: 'C', credits: 5, seen });
    expect(kindOf([call(redeem('redeemed'), 0, 1), call(redeem('redeemed'), 0, 1)])).to.equal('not linearizable');
    expect(kindOf([call(redeem('already'), 0, 1)])).to.equal('not linearizable');
    expect(kindOf([call(redeem('already'), 0, 1, 2), call(read(15), 2, 3)])).to.equal('linearizable');
    const grant: Requested = { kind: 'grant', credits: 5, note: '', seen: { balance: 15 } };
    expect(kindOf([call(grant, 0, 1), call(read(10), 2, 3)])).to.equal('not linearizable');
    expect(kindOf([call(charged('a', 9), 0, 1), call(read(9), 2, 3), call(read(10), 4, 5)])).to.equal(
      'not linearizable',
    );
  });

  it('lets what was never answered have happened at any later moment, or never, but not before it began', () => {
    const lost: Requested = { kind: 'charge', key: 'lost', seen: null };
    for (const left of [8, 9])
      expect(kindOf([call(lost, 0, never), call(charged('a', left), 1, 2)])).to.equal('linearizable');
    expect(kindOf([call(charged('a', 8), 1, 2), call(lost, 3, never)])).to.equal('not linearizable');
  });

  it('refuses too little while there is enough, and a key that was charged as if it were not', () => {
    const little: Requested = { kind: 'charge', key: 'a', seen: 'too little' };
    expect(kindOf([call(little, 0, 1)], 1)).to.equal('not linearizable');
    expect(kindOf([call(little, 0, 1)], 0)).to.equal('linearizable');
    expect(kindOf([call(charged('a', 0), 0, 1), call(little, 2, 3)], 1)).to.equal('not linearizable');
  });

  it('tells histories of a wallet from the same with one answer changed', () => {
    const dice = throwDice();
    for (let n = 0; n < HISTORIES; n++) {
      const calls = historyOf(dice.next);
      const about = `seed ${dice.seed}, history ${n}`;
      expect(kindOf(calls), about).to.equal('linearizable');
      const charges = calls.flatMap(({ requested }, at) =>
        requested.kind === 'charge' && requested.seen !== null ? [at] : [],
      );
      const at = charges[Math.floor(dice.next() * charges.length)]!;
      const wrong = calls[at]!.requested as Requested & { kind: 'charge'; seen: { left: number } };
      const requested: Requested = {
        ...wrong,
        seen: { kind: 'charged', left: wrong.seen.left + 1_000, isReplay: false },
      };
      expect(kindOf(calls.with(at, { ...calls[at]!, requested })), about).to.equal('not linearizable');
    }
  });
});

/**
 * Clients that overlap, each call taking effect at one moment of its time; some are never answered.
 */
function historyOf(next: () => number): readonly Call[] {
  const model = new WalletModel(10);
  const freeAtMs = Array.from({ length: CLIENTS }, () => 0);
  const calls: Call[] = [];
  for (let n = 0; n < CALLS; n++) {
    const actsAtMs = n + 1;
    const client = freeAtMs.findIndex((atMs) => atMs < actsAtMs);
    if (client === -1) continue;
    const beganMs = freeAtMs[client]! + next() * (actsAtMs - freeAtMs[client]!);
    const endedMs = actsAtMs + next() * CLIENTS * 2;
    freeAtMs[client] = endedMs;
    const isGrant = model.balance === 0 || next() < 0.1;
    const grant: Requested = { kind: 'grant', credits: 7, note: '', seen: { balance: model.balance + 7 } };
    const requested = isGrant ? grant : charged(`k${n}`, model.balance - 1);
    model.step({ requested, sent: 1 });
    const isLost = next() < 0.05;
    calls.push(
      isLost ? call({ ...requested, seen: null } as Requested, beganMs, never) : call(requested, beganMs, endedMs),
    );
  }
  return calls;
}
