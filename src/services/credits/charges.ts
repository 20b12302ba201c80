import { type Debit, debitCredits } from '#domain/credits/credit-changes';
import { DAY_MS, emptyAccount } from '#domain/credits/credits';
import { type Bearer, spendableBy } from '#domain/credits/token';
import type { Clock } from '#ports/clock';
import type { Decision, Rows, Store, StoredAnswer } from '#ports/store';

/**
 * How long a repeat with the same Idempotency-Key gets the same answer (docs/interface-paying.md,
 * "Idempotency").
 */
export const ANSWER_KEPT_MS = DAY_MS;

/** A paid call that succeeded and has now to be paid for. */
export interface ChargeRequest {
  /** Whose credits, and which of them. */
  readonly bearer: Bearer;
  /** Operation name; goes into the ledger entry. */
  readonly tool: string;
  /** Cost: a whole number of at least 1. */
  readonly credits: number;
  readonly requestId: string;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** Builds the exact body to store and to send; called inside the transaction, must be pure and fast. */
  readonly render: (paid: { readonly creditsUsed: number; readonly creditsRemaining: number }) => string;
}

export type ChargeResult =
  | {
      readonly kind: 'charged';
      readonly body: string;
      readonly madeAtMs: number;
      readonly creditsUsed: number;
      readonly creditsRemaining: number;
    }
  /** Same bearer, key and fingerprint were answered before: nothing is debited. */
  | { readonly kind: 'replayed'; readonly body: string; readonly madeAtMs: number }
  /** Same bearer and key, another fingerprint. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'insufficient'; readonly balance: number; readonly required: number };

export type AnswerLookup =
  | { readonly kind: 'found'; readonly body: string; readonly madeAtMs: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'none' };

interface ChargeDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** Looks a kept answer up before any work is done for a repeat. */
export async function findAnswer(
  { store, clock }: ChargeDeps,
  { wallet, code }: Bearer,
  key: string,
  fingerprint: string,
): Promise<AnswerLookup> {
  return lookUp(await store.answer({ wallet, code, key }), fingerprint, clock.nowMs());
}

/** Debits the price, books it and keeps the answer: all in one transaction, or nothing of it. */
export function charge({ store, clock }: ChargeDeps, request: ChargeRequest): Promise<ChargeResult> {
  const { bearer, idempotency } = request;
  const { wallet, code } = bearer;
  const nowMs = clock.nowMs();
  const answer = idempotency === null ? undefined : { wallet, code, key: idempotency.key };
  return store.transact({ account: wallet, answer }, (rows) => decideCharge(rows, request, nowMs));
}

function decideCharge(rows: Rows, request: ChargeRequest, nowMs: number): Decision<ChargeResult> {
  const known = lookUp(rows.answer, request.idempotency?.fingerprint ?? '', nowMs);
  if (known.kind === 'found') return { writes: {}, result: { ...known, kind: 'replayed' } };
  if (known.kind === 'conflict') return { writes: {}, result: known };
  const { bearer, tool, credits, requestId } = request;
  const account = rows.account ?? emptyAccount(bearer.wallet);
  const cause = { operation: tool, requestId, atMs: nowMs };
  const debit = debitCredits(account, credits, cause, spendableBy(bearer));
  if (debit.kind === 'insufficient') return refuse(debit, credits);
  return accept(debit, request, nowMs);
}

function refuse(debit: Debit & { kind: 'insufficient' }, required: number): Decision<ChargeResult> {
  return { writes: { change: debit }, result: { kind: 'insufficient', balance: debit.balance, required } };
}

function accept(debit: Debit & { kind: 'debited' }, request: ChargeRequest, nowMs: number): Decision<ChargeResult> {
  const creditsUsed = request.credits;
  const creditsRemaining = debit.balance;
  const body = request.render({ creditsUsed, creditsRemaining });
  const result: ChargeResult = { kind: 'charged', body, madeAtMs: nowMs, creditsUsed, creditsRemaining };
  const { bearer, idempotency } = request;
  if (idempotency === null) return { writes: { change: debit }, result };
  const { wallet, code } = bearer;
  const answer: StoredAnswer = { wallet, code, ...idempotency, body, expiresAtMs: nowMs + ANSWER_KEPT_MS };
  return { writes: { change: debit, answer }, result };
}

function lookUp(answer: StoredAnswer | null, fingerprint: string, nowMs: number): AnswerLookup {
  if (answer === null || answer.expiresAtMs <= nowMs) return { kind: 'none' };
  if (answer.fingerprint !== fingerprint) return { kind: 'conflict' };
  return { kind: 'found', body: answer.body, madeAtMs: answer.expiresAtMs - ANSWER_KEPT_MS };
}
