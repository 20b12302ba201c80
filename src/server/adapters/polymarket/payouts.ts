import { OutsideError } from '#domain/errors';
import type { PayoutSource } from '#domain/rating/tape-market';
import { clobPayoutMicros, parseClobWinner } from '#wire/polymarket/clob-winner';
import { parseResolutionsV2, type ResolutionV2 } from '#wire/polymarket/data-api-v2';
import type { GammaMarketFacts } from '#wire/polymarket/gamma-market-facts';
import type { HttpJson } from '../http-client/json.js';
import { inGroups, isAbsent } from './venue-answers.js';

/** How a market ended. */
export interface Payout {
  readonly payoutMicros: readonly number[];
  /** In seconds. */
  readonly resolvedAtS: number;
  readonly payoutSource: PayoutSource;
}

/**
 * What one market pays: a payout, nothing yet, or why that cannot be told now, because a question
 * failed or two answers contradict each other.
 */
type Reported =
  | { readonly kind: 'paid'; readonly payout: Payout }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'unasked'; readonly why: string };

/** Payouts by condition, and why those are missing that should be there. */
export interface PayoutsReport {
  readonly payouts: ReadonlyMap<string, Payout>;
  readonly unasked: ReadonlyMap<string, string>;
}

/** The venue takes up to 20 conditions in one question (docs/venue.md, "Trades"). */
const CONDITIONS_PER_CALL = 20;
const CLOB_CALLS_MAX = 8;

const UNDECIDED: Reported = { kind: 'undecided' };
const unasked = (why: string): Reported => ({ kind: 'unasked', why });

/** What the Data API says of a market; null: it has no row of it. */
type Resolution = ResolutionV2 | { readonly kind: 'failed'; readonly why: string } | null;

/**
 * Returns the payouts of markets that should have ended. The payout vector is the venue's own word
 * (Data API), also where Gamma still lists the market as open. Of a closed market without a vector
 * the CLOB's winner flags count, which also know 50/50, and at last a clear price of Gamma's list,
 * which is marked as such (docs/venue.md, "Resolution"). A payout without a known time is none:
 * without the moment it counts for nothing. Never rejects.
 */
export async function fetchPayouts(
  { data, clob }: { readonly data: HttpJson; readonly clob: HttpJson },
  markets: readonly GammaMarketFacts[],
): Promise<PayoutsReport> {
  const resolutions = await fetchResolutions(data, markets);
  const payouts = new Map<string, Payout>();
  const reasons = new Map<string, string>();
  for (const group of inGroups(markets, CLOB_CALLS_MAX)) {
    await Promise.all(
      group.map(async (market) => {
        const received = byVector(market, resolutions.get(market.condition) ?? null) ?? (await byOthers(clob, market));
        if (received.kind === 'paid') payouts.set(market.condition, received.payout);
        if (received.kind === 'unasked') reasons.set(market.condition, received.why);
      }),
    );
  }
  return { payouts, unasked: reasons };
}

/** What the Data API's row says; null: it has none, and others are asked. */
function byVector(market: GammaMarketFacts, resolution: Resolution): Reported | null {
  switch (resolution?.kind) {
    case undefined:
      return null;
    case 'failed':
      return unasked(resolution.why);
    case 'unreadable':
      return unasked('its resolution cannot be read');
    case 'open':
      return market.isResolved ? unasked('Gamma calls it resolved, and the Data API does not') : UNDECIDED;
    case 'final': {
      const received = paid(resolution.payoutMicros, resolution.resolvedAtS ?? market.closedAtS, 'vector');
      return received.kind === 'paid' ? received : unasked('no source has the time of its resolution');
    }
  }
}

/** A market without a vector. Two words that contradict each other are none. */
async function byOthers(clob: HttpJson, market: GammaMarketFacts): Promise<Reported> {
  if (!market.closed) return UNDECIDED;
  if (market.tokens.length === 0) return unasked('Gamma does not say which tokens it has');
  const { payoutMicros: byPrice, closedAtS } = market;
  const flags = await fetchClobPayout(clob, market);
  if (flags.kind === 'failed') return unasked(flags.why);
  if (flags.payoutMicros === null) return byPrice === null ? UNDECIDED : paid(byPrice, closedAtS, 'price');
  if (byPrice?.some((payout, i) => payout !== flags.payoutMicros?.[i])) {
    return unasked('Gamma and the CLOB name different winners');
  }
  return paid(flags.payoutMicros, closedAtS, 'clob');
}

function paid(payoutMicros: readonly number[], resolvedAtS: number | null, payoutSource: PayoutSource): Reported {
  return resolvedAtS === null ? UNDECIDED : { kind: 'paid', payout: { payoutMicros, resolvedAtS, payoutSource } };
}

async function fetchResolutions(
  data: HttpJson,
  markets: readonly GammaMarketFacts[],
): Promise<ReadonlyMap<string, Resolution>> {
  const found = new Map<string, Resolution>();
  for (const group of inGroups(markets, CONDITIONS_PER_CALL)) {
    const conditions = group.map(({ condition }) => condition);
    const answer = await askOf(data, `/v2/resolutions?condition=${conditions.join(',')}`);
    const received = answer.kind === 'ok' ? parseResolutionsV2(answer.body) : null;
    const lacking = whatIsLacking(answer, received);
    for (const condition of conditions) {
      found.set(condition, received?.found.get(condition) ?? lacking);
    }
  }
  return found;
}

/** What is said of a market of which the answer has no row. */
function whatIsLacking(answer: Requested, received: ReturnType<typeof parseResolutionsV2>): Resolution {
  if (answer.kind === 'absent') return null;
  if (answer.kind === 'failed') return answer;
  if (received === null || received.isTorn) return { kind: 'failed', why: 'the resolutions cannot be read' };
  return null;
}

async function fetchClobPayout(
  clob: HttpJson,
  { condition, tokens }: GammaMarketFacts,
): Promise<{ kind: 'answered'; payoutMicros: readonly number[] | null } | { kind: 'failed'; why: string }> {
  const answer = await askOf(clob, `/markets/${condition}`);
  if (answer.kind === 'absent') return { kind: 'answered', payoutMicros: null };
  if (answer.kind === 'failed') return answer;
  const received = parseClobWinner(answer.body);
  if (received?.condition !== condition) return { kind: 'failed', why: 'the CLOB answers something else' };
  if (!received.closed) return { kind: 'failed', why: 'Gamma calls it closed, and the CLOB does not' };
  return { kind: 'answered', payoutMicros: clobPayoutMicros(received, tokens) };
}

type Requested =
  | { readonly kind: 'ok'; readonly body: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string };

async function askOf(upstream: HttpJson, path: string): Promise<Requested> {
  try {
    const answer = await upstream.get(path);
    if (answer.kind === 'ok') return answer;
    return isAbsent(answer)
      ? { kind: 'absent' }
      : { kind: 'failed', why: `${upstream.upstream} refused (${answer.status})` };
  } catch (error) {
    if (error instanceof OutsideError) return { kind: 'failed', why: error.message };
    throw error;
  }
}
