import { type Change, debitCredits, grantLot, revokeCredits } from '#domain/credits/credit-changes';
import { type Account, emptyAccount } from '#domain/credits/credits';
import { addToken, type TokenSet } from '#domain/credits/token';
import { noteDebit, settleUnanswered } from '#domain/credits/unanswered';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { SettlementProof } from '#domain/payment/proof';
import type { Store, Writes } from '#ports/store';
import { walletNumber } from '#test/contract/store.contract';
import { samplePayment } from '#test/contract/support/sample-payment';

export const TX = `0x${'cd'.repeat(32)}`;
const DAY_MS = 86_400_000;
const T0 = 1_700_000_000_000;

/** Writes rows as they are given, whatever is there. */
export function write(store: Store, writes: Writes): Promise<null> {
  const keys = {
    ...(writes.change && { account: writes.change.account.wallet }),
    ...(writes.payment && { payment: writes.payment.key }),
    ...(writes.promo && { promo: writes.promo.code }),
    ...(writes.tokens && { tokens: writes.tokens.wallet }),
    ...(writes.redemption && { redemption: writes.redemption }),
    ...(writes.answer && { answer: writes.answer }),
  };
  return store.transact(keys, () => ({ writes, result: null }));
}

/**
 * Moves credits as the service does: every kind of entry comes about, some of them several times.
 */
export async function moveCredits(store: Store, wallet: WalletAddress, rounds: number): Promise<void> {
  const moves: Promise<unknown>[] = [];
  const move = (change: (account: Account) => Pick<Change, 'account' | 'entries'>): void => {
    const moved = store.transact({ account: wallet }, ({ account }) => {
      const { account: after, entries } = change(account ?? emptyAccount(wallet));
      return { writes: { change: { account: after, entries } }, result: null };
    });
    moves.push(moved);
  };
  for (let n = 1; n <= rounds; n++) {
    const atMs = T0 + n * DAY_MS;
    const cause = (operation: string) => ({ operation, requestId: 'r', atMs });
    const lot = { kind: 'grant' as const, credits: 10 + n, expiresAtMs: atMs + (n % 3) * DAY_MS + 1, source: 'check' };
    move((account) => grantLot(account, lot, cause('give')));
    move((account) => debitCredits(account, 3, cause('preflight_trade')));
    move((account) => {
      const debit = debitCredits(account, 2, cause('preflight_trade'));
      if (debit.kind !== 'debited') return debit;
      const outcome = n % 2 === 0 ? 'lost' : 'answered';
      const noted = noteDebit(account, debit, `process:${n}`);
      const settled = settleUnanswered(noted, () => outcome, atMs);
      return { account: settled.account, entries: [...debit.entries, ...settled.entries] };
    });
    if (n % 4 === 0) move((account) => revokeCredits(account, 4, cause('revoke')));
  }
  await Promise.all(moves);
}

export const settled = (n: number, proof: SettlementProof | null, from?: WalletAddress): PaymentRow =>
  samplePayment(n, { state: 'SETTLED', transaction: TX, open: false, body: '{}', proof }, from);

/** Fills a store with rows of every kind that contradict nothing. */
export async function fillSoundStore(store: Store): Promise<void> {
  await Promise.all([...[1, 2, 3].map((n) => moveCredits(store, walletNumber(n), 4 * n)), ...soundRows(store)]);
}

function soundRows(store: Store): readonly Promise<unknown>[] {
  const promos = ['SPRING', 'hmac:ab'].map((code) => {
    const promo = { code, credits: 5, walletsMax: 9, redeemed: 2, createdAtMs: T0, expiresAtMs: T0, revokedAtMs: null };
    return write(store, { promo });
  });
  const redemptions = ['SPRING', 'hmac:ab'].flatMap((code) =>
    [1, 2].map((n) => write(store, { redemption: { code, wallet: walletNumber(n), atMs: T0 } })),
  );
  let tokens: TokenSet | null = null;
  for (let n = 0; n < 12; n++) {
    const scope = n % 2 === 0 ? ('purchase' as const) : ('promo' as const);
    const code = scope === 'promo' ? 'SPRING' : null;
    const secretHash = n.toString(16).padStart(64, '0');
    tokens = addToken(walletNumber(1), tokens, { secretHash, issuedAtMs: T0 + n, scope, code });
  }
  const answer = { wallet: walletNumber(1), fingerprint: 'f', body: '{}', expiresAtMs: T0 };
  const answers = [null, 'SPRING'].map((code) => write(store, { answer: { ...answer, code, key: 'k/ü' } }));
  const proven = { kind: 'proven', transaction: TX, blockNumber: 8, isFinal: true } as const;
  const rows = [
    samplePayment(1, { state: 'CLAIMED' }),
    samplePayment(2),
    samplePayment(3, { state: 'FAILED', failReason: 'early' }),
    samplePayment(4, { state: 'FAILED', failReason: 'late', open: false }),
    settled(5, { ...proven, logIndex: 5 }),
    settled(6, { ...proven, logIndex: 6, isFinal: false }),
    settled(7, { kind: 'unproven', facilitator: 'f', sinceMs: T0 }),
    settled(8, { kind: 'unproven', facilitator: 'f', sinceMs: T0 }, walletNumber(7)),
    settled(9, { kind: 'refuted', facilitator: 'g', reason: 'no', atMs: T0 }),
    { ...settled(10, null), answer: '', body: null },
  ];
  const payments = rows.map((payment) => write(store, { payment }));
  return [...promos, ...redemptions, write(store, { tokens: tokens! }), ...answers, ...payments];
}
