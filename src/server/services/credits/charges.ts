import { type Change, type Debit, debitCredits } from '#domain/credits/credit-changes';
import { emptyAccount } from '#domain/credits/credits';
import { type Bearer, spendableBy } from '#domain/credits/token';
import { noteDebit, settleUnanswered } from '#domain/credits/unanswered';
import { OutsideError } from '#domain/errors';
import { DAY_MS } from '#domain/time';
import type { AnswerKey, Decision, Rows, Store, StoredAnswer } from '#ports/store';
import type { Clock } from '#system/clock';
import type { AnswerOutcomes } from './answer-outcomes.js';

/**
 * How long a repeat with the same Idempotency-Key gets the same answer (docs/interface-paying.md,
 * "Idempotency").
 */
export const ANSWER_STORED_MS = DAY_MS;

/** What names a call, so that a repeat gets its answer: a key, a payment, or both. */
export interface CallIdentity {
  /** The Idempotency-Key, which is the bearer's; null: none. */
  readonly key: string | null;
  readonly fingerprint: string;
  /** Names the payment that came with the call, which is not its bearer's; absent: none came. */
  readonly payment?: AnswerKey;
}

/** A paid call that succeeded and has now to be paid for. */
export interface ChargeRequest {
  /** Whose credits, and which of them. */
  readonly bearer: Bearer;
  /** Operation name; goes into the ledger entry. */
  readonly tool: string;
  /** Cost: a whole number of at least 1. */
  readonly credits: number;
  readonly requestId: string;
  readonly idempotency: CallIdentity | null;
  /**
   * Whether nobody is there any more to get the answer: then nothing is debited. Absent: that is
   * not known.
   */
  readonly isGone?: () => boolean;
  /**
   * Builds the exact body to store and to send; called inside the transaction, must be pure and
   * fast.
   */
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
  /** The same call was answered before, under its key or its payment: nothing is debited. */
  | { readonly kind: 'replayed'; readonly body: string; readonly madeAtMs: number }
  /** Same bearer and key, another fingerprint. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'insufficient'; readonly balance: number; readonly required: number };

export type AnswerLookup =
  | { readonly kind: 'found'; readonly body: string; readonly madeAtMs: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'none' };

interface ChargeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly lapses: Pick<Clock, 'nowMs'>;
  readonly outcomes: AnswerOutcomes;
}

/** Returns what the answer to a call is kept under. */
export function answerKeys(
  { wallet, code }: Omit<AnswerKey, 'key'>,
  { key, payment }: CallIdentity,
): readonly AnswerKey[] {
  const own = key === null ? [] : [{ wallet, code, key }];
  return payment === undefined ? own : [...own, payment];
}

/** The first is the answer of the debit; what else it is kept under goes beside it. */
function rowsOf<T>([answer, ...purchases]: readonly T[]): { readonly answer: T; readonly purchases: readonly T[] } {
  return { answer: answer!, purchases };
}

/** Looks a stored answer up before any work is done for a repeat. */
export async function findAnswer(
  { store, lapses }: Pick<ChargeDeps, 'store' | 'lapses'>,
  answerKey: AnswerKey,
  fingerprint: string,
): Promise<AnswerLookup> {
  return lookUp(await store.answer(answerKey), fingerprint, lapses.nowMs());
}

/**
 * Debits the price, books it and keeps the answer: all in one transaction, or nothing of it. A
 * debit that nobody can repeat is noted, and given back should its answer never go out. Rejects
 * with an OutsideError `unknown` where it may have been debited, and with another where it was not.
 */
export async function charge(
  { store, clock, lapses, outcomes }: ChargeDeps,
  request: ChargeRequest,
): Promise<ChargeResult> {
  const { bearer, idempotency } = request;
  const { wallet } = bearer;
  const [nowMs, lapsedByMs] = [clock.nowMs(), lapses.nowMs()];
  const keys = { account: wallet, ...(idempotency !== null && rowsOf(answerKeys(bearer, idempotency))) };
  const note = idempotency === null ? outcomes.begin() : null;
  const course = { isDecided: false, isGivenUp: false };
  try {
    const result = await store.transact(keys, (rows) => {
      // Its caller has been told so: what is not decided by then is not written.
      if (course.isGivenUp) throw notDebited(null);
      course.isDecided = true;
      return decideCharge(rows, request, { nowMs, lapsedByMs, outcomes, note });
    });
    if (note === null) return result;
    if (result.kind !== 'charged') {
      outcomes.dropped(note);
      return result;
    }
    if (request.isGone?.()) {
      // It left while the debit was written: nothing goes out, and the debit is given back.
      outcomes.lost(note, wallet);
      return { kind: 'gone' };
    }
    outcomes.answered(note, wallet);
    return result;
  } catch (error) {
    course.isGivenUp = true;
    const mayBeDebited = course.isDecided && isUnknown(error);
    if (note !== null) mayBeDebited ? outcomes.lost(note, wallet) : outcomes.dropped(note);
    throw isUnknown(error) && !mayBeDebited ? notDebited(error) : error;
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof OutsideError && error.failure === 'unknown';
}

function notDebited(cause: unknown): OutsideError {
  return new OutsideError('store', 'a debit did not get its turn, and was not made', { failure: 'retryable', cause });
}

/** When it is decided, and what is known of the wallet's other debits. */
interface Moment {
  readonly nowMs: number;
  readonly lapsedByMs: number;
  readonly outcomes: AnswerOutcomes;
  /** The number of the debit that is noted; null: its answer is kept. */
  readonly note: number | null;
}

function decideCharge(rows: Rows, request: ChargeRequest, moment: Moment): Decision<ChargeResult> {
  const { nowMs, lapsedByMs, outcomes } = moment;
  const cached = lookUpAll(rows, request.idempotency, lapsedByMs);
  if (cached.kind === 'found') return { writes: {}, result: { ...cached, kind: 'replayed' } };
  if (cached.kind === 'conflict') return { writes: {}, result: cached };
  if (request.isGone?.()) return { writes: {}, result: { kind: 'gone' } };
  const { bearer, tool, credits, requestId } = request;
  const cause = { operation: tool, requestId, atMs: nowMs, lapsedByMs };
  const account = rows.account ?? emptyAccount(bearer.wallet);
  const settled = outcomes.isSettled(account)
    ? { account, entries: [] }
    : settleUnanswered(account, (debit) => outcomes.outcomeOf(debit, lapsedByMs), nowMs);
  const debit = debitCredits(settled.account, credits, cause, spendableBy(bearer));
  const entries = settled.entries.length === 0 ? debit.entries : [...settled.entries, ...debit.entries];
  if (debit.kind === 'insufficient') return refuse({ ...debit, entries }, credits);
  const after = moment.note === null ? debit.account : noteDebit(settled.account, debit, outcomes.idOf(moment.note));
  outcomes.settled(after);
  return accept({ account: after, entries }, debit.balance, request, nowMs);
}

function refuse(debit: Debit & { kind: 'insufficient' }, required: number): Decision<ChargeResult> {
  return { writes: { change: debit }, result: { kind: 'insufficient', balance: debit.balance, required } };
}

function accept(
  change: Change,
  creditsRemaining: number,
  request: ChargeRequest,
  nowMs: number,
): Decision<ChargeResult> {
  const creditsUsed = request.credits;
  const body = request.render({ creditsUsed, creditsRemaining });
  const result: ChargeResult = { kind: 'charged', body, madeAtMs: nowMs, creditsUsed, creditsRemaining };
  const { bearer, idempotency } = request;
  if (idempotency === null) return { writes: { change }, result };
  const kept = { fingerprint: idempotency.fingerprint, body, expiresAtMs: nowMs + ANSWER_STORED_MS };
  const answers = answerKeys(bearer, idempotency).map((key): StoredAnswer => ({ ...key, ...kept }));
  return { writes: { change, ...rowsOf(answers) }, result };
}

const NONE: AnswerLookup = { kind: 'none' };

function lookUpAll({ answer, purchases }: Rows, identity: CallIdentity | null, lapsedByMs: number): AnswerLookup {
  if (identity === null) return NONE;
  const first = lookUp(answer, identity.fingerprint, lapsedByMs);
  return first.kind === 'none' ? lookUp(purchases[0] ?? null, identity.fingerprint, lapsedByMs) : first;
}

function lookUp(answer: StoredAnswer | null, fingerprint: string, lapsedByMs: number): AnswerLookup {
  if (answer === null || answer.expiresAtMs <= lapsedByMs) return NONE;
  if (answer.fingerprint !== fingerprint) return { kind: 'conflict' };
  return { kind: 'found', body: answer.body, madeAtMs: answer.expiresAtMs - ANSWER_STORED_MS };
}
