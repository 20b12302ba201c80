import type { Leaderboard, RedList, WalletRating } from '#api/wallets/wallet-lists';
import { LIST_METHOD } from '#api/wallets/wallet-method';
import type { TapeWallet } from '#domain/ids';
import type { Rating, RatingReason } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { isJudgedByAll } from '#domain/rating/rating-lists';
import { isLongGap } from '#domain/rating/seen-window';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { SecondsSpan } from '#domain/rating/unseen';
import { DAY_S, isoDay } from '#domain/time';
import {
  seenDays,
  toCertainty,
  toFreshness,
  toInstant,
  toLateNote,
  toMethod,
  toName,
  toPct,
  toPool,
  toReasons,
  toStrength,
  toTapeNote,
} from '#judge/wallet/body-parts';
import type { Board } from '#ports/ratings-store';

/** A board with the ratings of one of its lists, in the order of the list. */
export interface ListFacts {
  readonly board: Board;
  readonly ratings: readonly StoredRating[];
  /** By wallet; absent: none is stored. */
  readonly evidenceHashes?: ReadonlyMap<TapeWallet, string>;
  readonly nextRefreshS: number;
  /** A newer board should be in force. */
  readonly isLate?: boolean;
}

/**
 * Verdicts that the out-of-sample month decided: there its number of trades is shown
 * (docs/interface-wallets.md, "Lists").
 */
const DECIDED_OUT_OF_SAMPLE: readonly RatingReason[] = ['oos_small', 'oos_failed', 'validated'];
/**
 * Verdicts that stand below the tests of both months in the decision table, so that both were
 * passed.
 */
const PASSED_BOTH_MONTHS: readonly RatingReason[] = ['not_significant', 'one_event', 'unconfirmed', 'validated'];

const EMPTY_LEADERBOARD =
  'No wallet is rated COPY and none has a positive but unproven result. An empty list is an answer: proof is rare.';
const NO_COPY = 'No wallet is rated COPY. The wallets listed are unproven: positive results that may be luck.';
const EMPTY_RED_LIST = 'No wallet with enough entries is rated VETO.';

/** Returns the body of leaderboard. Throws if a rating does not belong there. */
export function toLeaderboard(facts: ListFacts): Leaderboard {
  const wallets = facts.ratings.map((stored) => toWalletRating(stored, ['COPY', 'WATCH'], facts));
  const copies = wallets.filter(({ verdict }) => verdict === 'COPY').length;
  const fewness = wallets.length === 0 ? EMPTY_LEADERBOARD : copies === 0 ? NO_COPY : null;
  return { ...toList(facts), wallets, ...toNote(fewness, facts) };
}

/** Returns the body of red_list. Throws if a rating does not belong there. */
export function toRedList(facts: ListFacts): RedList {
  const wallets = facts.ratings.map((stored) => toWalletRating(stored, ['VETO'], facts));
  return { ...toList(facts), wallets, ...toNote(wallets.length === 0 ? EMPTY_RED_LIST : null, facts) };
}

/** Returns all notes as `note`; nothing if there are none. */
function toNote(fewness: string | null, { board, isLate = false }: ListFacts): { note?: string } {
  const { asOfS, tapeStartS, gaps = [] } = board;
  const late = isLate ? toLateNote(asOfS) : null;
  const notes = [fewness, late, toTapeNote(asOfS, tapeStartS), toGapNote(gaps)].filter((note) => note !== null);
  return notes.length === 0 ? {} : { note: notes.join(' ') };
}

/** Returns the note about trades that are missing; null if none are. */
function toGapNote(gaps: readonly SecondsSpan[]): string | null {
  const [first] = gaps;
  if (first === undefined) return null;
  const more = gaps.length === 1 ? '' : `, and of ${gaps.length - 1} more times`;
  const denied = gaps.some(isLongGap) ? 'no wallet is' : 'a wallet that traded on such a day is not';
  return (
    `Trades from ${toInstant(first.fromS)} to ${toInstant(first.toS)}${more} are missing from the tape: ` +
    `${denied} rated COPY here.`
  );
}

function toList({ board, ratings, nextRefreshS }: ListFacts) {
  return {
    ok: true,
    computed_at: isoDay(board.computedAtMs / 1e3),
    window: toWindowText(board),
    method: toMethod(LIST_METHOD, ratings),
    universe: toUniverse(board),
    placebo_copy_count: board.placeboCopies,
    ...toFreshness(board, nextRefreshS),
  } as const;
}

/** Returns one wallet of a list (docs/interface-wallets.md, "Lists"). */
function toWalletRating<Verdict extends WalletRating['verdict']>(
  stored: StoredRating,
  verdicts: readonly Verdict[],
  { evidenceHashes }: ListFacts,
) {
  const { rating } = stored;
  const verdict = verdicts.find((one) => one === rating.verdict);
  if (verdict === undefined) throw new Error(`a wallet rated ${rating.verdict} does not belong on this list`);
  const { inSample, outOfSample, reason } = rating;
  const winRate = toPct(inSample.winRate);
  const evidenceHash = evidenceHashes?.get(rating.wallet);
  return {
    name: toName(rating.wallet, stored.name),
    wallet: rating.wallet,
    verdict,
    reason_code: reason,
    ...toStrength(stored),
    ...toShownRoi(rating),
    ...toCertainty(rating),
    n_resolved: rating.resolved,
    profile_roi_fee_inclusive_pct: rating.roiFeePct,
    copied_trades: inSample.entries,
    ...(winRate === null ? {} : { win_rate_pct: winRate }),
    ...(DECIDED_OUT_OF_SAMPLE.includes(reason) ? { oos_trades: outOfSample.entries } : {}),
    oos_validated: PASSED_BOTH_MONTHS.includes(reason),
    in_sample: toPool(inSample),
    out_of_sample: toPool(outOfSample),
    reasons: toReasons(stored),
    ...(evidenceHash === undefined ? {} : { evidence_hash: evidenceHash }),
  };
}

/** The figures that the verdict was made by: a list orders and explains by nothing else. */
function toShownRoi(rating: Rating) {
  const { window, roiSlippagePct, roiFeePct } = rating;
  const isByAll = isJudgedByAll(rating);
  const slippagePct = isByAll ? roiSlippagePct : toPct(window.roiSlippage);
  const feePct = isByAll ? roiFeePct : toPct(window.roiFee);
  if (slippagePct === null || feePct === null) throw new Error('a wallet without a result does not belong on a list');
  return { roi_slippage_basis_pct: slippagePct, roi_fee_inclusive_pct: feePct };
}

/** What was seen of the window, and the two months as far as they lie in it. */
function toWindowText({ asOfS, tapeStartS }: Board): string {
  const { monthDays } = RATING_CONFIG;
  const seen = seenDays(asOfS, tapeStartS);
  const days = (from: number, to: number) =>
    from <= to ? 'not seen' : `${isoDay(asOfS - from * DAY_S)}..${isoDay(asOfS - (to + 1) * DAY_S)}`;
  const month = (from: number, to: number) => days(Math.min(seen, from), to);
  return (
    `${days(seen, 0)} (${seen} days, UTC, both ends included): ` +
    `in-sample ${month(2 * monthDays, monthDays)}, out-of-sample ${month(monthDays, 0)}`
  );
}

function toUniverse({ walletsSeen, walletsByVerdict: by, leaderboard, redList }: Board): string {
  return (
    `${walletsSeen} wallets with first entries in the window: ${by.NO_COVERAGE} NO_COVERAGE, ${by.VETO} VETO, ` +
    `${by.WATCH} WATCH, ${by.COPY} COPY; leaderboard shows ${leaderboard.length}, red_list ${redList.length}`
  );
}
