import { expect } from 'chai';
import type { LedgerEntry } from '#domain/credits/credits';
import { Revenue } from '#domain/payment/revenue';
import { samplePayment } from '#test/contract/support/sample-payment';

const DAY = 86_400_000;
const entry = (facts: Partial<LedgerEntry>): LedgerEntry => ({
  wallet: '0x00000000000000000000000000000000000000aa' as LedgerEntry['wallet'],
  number: 1,
  kind: 'debit',
  credits: 1,
  balanceAfter: 0,
  atMs: DAY,
  operation: 'preflight_trade',
  requestId: null,
  lots: [],
  ...facts,
});

describe('what came in and what was used', () => {
  it('counts a debit that was given back as none', () => {
    const sums = new Revenue({ fromMs: 0, toMs: 10 * DAY });
    sums.addEntry(entry({ credits: 5, operation: 'preflight_copy' }));
    sums.addEntry(entry({ credits: 5, operation: 'preflight_copy' }));
    sums.addEntry(entry({ kind: 'refund', credits: 5, operation: 'refund preflight_copy' }));
    for (const kind of ['grant', 'expire', 'revoke'] as const) sums.addEntry(entry({ kind, credits: 500 }));
    expect(sums.lines()).to.deep.equal([
      { day: '1970-01-02', lane: 'credits', operation: 'preflight_copy', calls: 1, usdcMicros: 0n, credits: 5 },
    ]);
  });

  it('counts a payment once it is settled, and not when the chain has refuted it', () => {
    const sums = new Revenue({ fromMs: DAY, toMs: 2 * DAY });
    const paid = { state: 'SETTLED', open: false, createdAtMs: DAY } as const;
    sums.addPayment(samplePayment(1, paid));
    sums.addPayment(samplePayment(2, { ...paid, createdAtMs: DAY - 1 }));
    sums.addPayment(samplePayment(3, { ...paid, createdAtMs: 2 * DAY }));
    sums.addPayment(samplePayment(4, { ...paid, state: 'SETTLING' }));
    sums.addPayment(samplePayment(5, { ...paid, proof: { kind: 'refuted', facilitator: 'x', reason: 'r', atMs: 1 } }));
    expect(sums.lines().map(({ lane, calls, usdcMicros }) => [lane, calls, usdcMicros])).to.deep.equal([
      ['x402', 1, 20_000n],
    ]);
  });
});
