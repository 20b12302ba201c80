import { CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS } from '#api/prices';
import { grantLot } from '#domain/credits/credit-changes';
import { balanceAt, CREDIT_VALID_DAYS, emptyAccount } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import { DAY_MS } from '#domain/time';
import type { Decision } from '#ports/store';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import type { PaymentDeps } from './contract.js';
import { CREDITS_OPERATION } from './work.js';

/** What became of an operator's wish to give the price of a payment back. */
export type PaymentRefund =
  | { readonly kind: 'refunded'; readonly wallet: WalletAddress; readonly credits: number; readonly balance: number }
  | { readonly kind: 'refused'; readonly why: string };

/** Returns what a payment is worth in credits, at the price of the pack. */
export function creditsWorth({ demand }: Pick<PaymentRow, 'demand'>): number {
  return Number((demand.amountMicros * BigInt(CREDIT_PACK.credits)) / CREDIT_PACK_AMOUNT_MICROS);
}

/** Why the price of a payment cannot be given back in credits; null: it can. */
export function whyNotRefundable({ state, proof, operation, refundedAtMs }: PaymentRow): string | null {
  if (state !== 'SETTLED') return `it is ${state}, and only what was paid can be given back`;
  if (proof?.kind === 'refuted') return 'the chain shows that it never paid';
  if (operation === CREDITS_OPERATION) {
    return 'it bought credits: take those with credits revoke, and send the USDC from your own wallet';
  }
  return refundedAtMs === undefined ? null : `it was given back on ${new Date(refundedAtMs).toISOString()}`;
}

/**
 * Gives the price of a payment back to its payer, in credits and once: the row of the payment and
 * the account change together. USDC itself cannot be sent from here, since no key of the payee is.
 */
export async function refundPayment(
  { store, clock }: Pick<PaymentDeps, 'store' | 'clock'>,
  { key, payment }: PaymentRow,
): Promise<PaymentRefund> {
  const wallet = payment.authorization.from;
  const atMs = clock.nowMs();
  return store.transact({ payment: key, account: wallet }, (rows): Decision<PaymentRefund> => {
    const row = rows.payment;
    const why = row === null ? 'there is no such payment' : whyNotRefundable(row);
    if (row === null || why !== null) return { writes: {}, result: { kind: 'refused', why: why ?? '' } };
    const credits = creditsWorth(row);
    const change = grantLot(
      rows.account ?? emptyAccount(wallet),
      { kind: 'grant', credits, expiresAtMs: atMs + CREDIT_VALID_DAYS * DAY_MS, source: `payment ${row.transaction}` },
      {
        operation: `refund of payment ${row.transaction}`,
        requestId: row.requestId,
        atMs,
        lapsedByMs: NOTHING_LAPSES_MS,
      },
    );
    const balance = balanceAt(change.account, atMs);
    return {
      writes: { change, payment: { ...row, refundedAtMs: atMs } },
      result: { kind: 'refunded', wallet, credits, balance },
    };
  });
}
