import type { EvidenceEntries, RatingBasis } from '#api/wallets/wallet-evidence';
import { ENTRY_POOLS, EVIDENCE_ENTRIES_MAX } from '#api/wallets/wallet-terms';
import { splitPools } from '#domain/rating/pools';
import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { type ScoredEntry, scoreEntry } from '#domain/rating/score-entry';
import type { WalletEntries } from '#domain/rating/wallet-entries';
import { ENTRIES_PER_STEP } from '#domain/steps';
import { canonicalText } from '../canonical-text.js';
import { toInstant } from './body-parts.js';
import type { RatingFrame } from './rate-entries.js';

/**
 * Returns what the rating of these entries is made of, as evidence has it. Where there are more than
 * `EVIDENCE_ENTRIES_MAX` they are left out.
 */
export function toRatingBasis(found: WalletEntries, frame: RatingFrame, config: RatingConfig): RatingBasis {
  const { asOfS, seen, edgePrior } = frame;
  const { entries, upDownExcluded, activeDays, firstTradeS, lastTradeS } = found;
  const isListed = entries.length <= EVIDENCE_ENTRIES_MAX;
  return {
    wallet: found.wallet.toWellFormed(),
    as_of: toInstant(asOfS),
    rating_config: { ...config },
    seen: {
      source: seen.source,
      from: instantOf(seen.fromS),
      gap: seen.gap === null ? null : { from: toInstant(seen.gap.fromS), to: toInstant(seen.gap.toS) },
      markets_not_described: seen.markets,
    },
    counts: {
      n_excluded_updown: upDownExcluded,
      active_days: activeDays,
      first_trade_at: instantOf(firstTradeS),
      last_trade_at: instantOf(lastTradeS),
    },
    edge_prior: edgePrior === null ? null : [...edgePrior],
    entries: isListed ? toColumns(found, asOfS, config) : null,
    entries_omitted: isListed ? 0 : entries.length,
  };
}

/** Returns the same in the form that is hashed and signed (RFC 8785). */
export function basisTextOf(found: WalletEntries, frame: RatingFrame, config: RatingConfig): string {
  return canonicalText(toRatingBasis(found, frame, config));
}

/** What a rating is made of, and by which cut-offs. */
export interface ReadBasis {
  readonly found: WalletEntries;
  readonly frame: RatingFrame;
  readonly config: RatingConfig;
}

/**
 * Returns the entries and all else that a rating is made of out of its basis, step by step; null if
 * the entries were left out. Of a basis that a stranger wrote, check the form first.
 */
export function* fromRatingBasis(basis: RatingBasis): Generator<void, ReadBasis | null, void> {
  const { wallet, as_of, seen, counts, edge_prior, entries } = basis;
  if (entries === null) return null;
  const asOfS = secondsOf(as_of);
  const config = basis.rating_config as RatingConfig;
  const scored: ScoredEntry[] = [];
  for (const at of entries.token.keys()) {
    if (at % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
    scored.push(entryAt(entries, at, asOfS, config));
  }
  const found: WalletEntries = {
    wallet,
    entries: scored,
    bothSided: new Set(entries.condition.filter((_, at) => entries.both_sided[at] === 1)),
    upDownExcluded: counts.n_excluded_updown,
    undescribedMarkets: seen.markets_not_described,
    activeDays: counts.active_days,
    firstTradeS: secondsOrNull(counts.first_trade_at),
    lastTradeS: secondsOrNull(counts.last_trade_at),
    // Which days they were is looked at before: what came of it is `seen.gap`.
    tradeDays: 0n,
  };
  const gap = seen.gap === null ? null : { fromS: secondsOf(seen.gap.from), toS: secondsOf(seen.gap.to) };
  const frame: RatingFrame = {
    asOfS,
    seen: { source: seen.source, fromS: secondsOrNull(seen.from), gap, markets: seen.markets_not_described },
    edgePrior: edge_prior,
  };
  return { found, frame, config };
}

function toColumns({ entries, bothSided }: WalletEntries, asOfS: number, config: RatingConfig): EvidenceEntries {
  const rows = entries.toSorted(byTimeThenToken);
  const pools = poolsOf(entries, asOfS, config);
  const column = <Value>(of: (entry: ScoredEntry) => Value): Value[] => rows.map(of);
  const flags = (of: (entry: ScoredEntry) => boolean) => column((entry) => (of(entry) ? 1 : 0));
  return {
    token: column(({ clip }) => clip.token.toWellFormed()),
    condition: column(({ clip }) => clip.condition.toWellFormed()),
    event: column(({ event }) => event.toWellFormed()),
    outcome_index: column(({ clip }) => clip.outcomeIndex),
    time_s: column(({ clip }) => clip.timeS),
    transaction: column(({ clip }) => clip.tx.toWellFormed()),
    price_micros: column(({ clip }) => clip.priceMicros),
    size_micros: column(({ clip }) => clip.sizeMicros),
    clips: column(({ clips }) => clips),
    sold_first: flags(({ sellFirst }) => sellFirst),
    round_trip: flags(({ roundTrip }) => roundTrip),
    both_sided: flags(({ clip }) => bothSided.has(clip.condition)),
    category: column(({ category }) => category),
    fee_rate_micros: column(({ feeRateMicros }) => feeRateMicros),
    scheduled_end_s: column(({ scheduledEndS }) => scheduledEndS),
    resolved_at_s: column(({ settled }) => settled?.atS ?? null),
    payout_micros: column(({ settled }) => settled?.payoutMicros ?? null),
    unconfirmed: flags(({ isUnconfirmed }) => isUnconfirmed),
    pool: column((entry) => pools.get(entry) ?? null),
  };
}

/** The same order whatever the trades were read from. */
function byTimeThenToken({ clip: a }: ScoredEntry, { clip: b }: ScoredEntry): number {
  if (a.timeS !== b.timeS) return a.timeS - b.timeS;
  return a.token < b.token ? -1 : 1;
}

/** The pool of each entry that counts in one: it passes the filter, and has a result. */
function poolsOf(entries: readonly ScoredEntry[], asOfS: number, config: RatingConfig) {
  const { older, inSample, outOfSample } = splitPools(entries, ratingWindows(asOfS, config), config);
  const pools = new Map<ScoredEntry, (typeof ENTRY_POOLS)[number]>();
  for (const [at, pool] of [older, inSample, outOfSample].entries()) {
    for (const entry of pool) if (entry.result !== null) pools.set(entry, ENTRY_POOLS[at]!);
  }
  return pools;
}

/** By the rules of the rating, from what was known of its market at `asOfS`. */
function entryAt(columns: EvidenceEntries, at: number, asOfS: number, config: RatingConfig): ScoredEntry {
  const condition = columns.condition[at]!;
  const outcomeIndex = columns.outcome_index[at]!;
  const event = columns.event[at]!;
  const payoutMicros = columns.payout_micros[at]!;
  return scoreEntry(
    {
      clip: {
        token: columns.token[at]!,
        condition,
        event,
        outcomeIndex,
        side: 'BUY',
        tx: columns.transaction[at]!,
        sizeMicros: columns.size_micros[at]!,
        priceMicros: columns.price_micros[at]!,
        timeS: columns.time_s[at]!,
      },
      clips: columns.clips[at]!,
      roundTrip: columns.round_trip[at] === 1,
      sellFirst: columns.sold_first[at] === 1,
    },
    {
      condition,
      event,
      slug: '',
      category: columns.category[at]!,
      feeRateMicros: columns.fee_rate_micros[at]!,
      upDown: false,
      scheduledEndS: columns.scheduled_end_s[at]!,
      resolvedAtS: columns.resolved_at_s[at]!,
      // Only what its own outcome paid is looked at.
      payoutMicros: payoutMicros === null ? null : new Array<number>(outcomeIndex + 1).fill(payoutMicros),
      ...(columns.unconfirmed[at] === 1 ? { payoutSource: 'price' } : {}),
    },
    asOfS,
    config,
  );
}

function instantOf(timeS: number | null): string | null {
  return timeS === null ? null : toInstant(timeS);
}

function secondsOf(instant: string): number {
  return Date.parse(instant) / 1e3;
}

function secondsOrNull(instant: string | null): number | null {
  return instant === null ? null : secondsOf(instant);
}
