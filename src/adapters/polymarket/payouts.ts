import { OutsideError } from '#domain/errors';
import { clobPayoutMicros, parseClobWinner } from '#wire/polymarket/clob-winner';
import { parseResolutionsV2, type ResolutionV2 } from '#wire/polymarket/data-api-v2';
import type { GammaMarketFacts } from '#wire/polymarket/gamma-market-facts';
import type { HttpJson } from '../http-client/json.js';
import { inGroups } from './venue-answers.js';

/** How a market ended. */
export interface Payout {
  readonly payoutMicros: readonly number[];
  /** In seconds. */
  readonly resolvedAtS: number;
}

/** The venue takes up to 20 conditions in one question (docs/venue.md, "Trades"). */
const CONDITIONS_PER_CALL = 20;
const CLOB_CALLS_MAX = 8;

/**
 * Returns the payouts of closed markets by condition; a market that is not decided is absent, and
 * so is one without a known time: without the moment it counts for nothing, and once it has a
 * payout it is not asked for again. The payout vector comes first (Data API), then the clear winner
 * of Gamma's list, then the CLOB's winner flags, which also know 50/50 (docs/venue.md,
 * "Resolution"). What cannot be asked now is asked again another day, so that a failed question
 * leaves the market undecided and never rejects.
 */
export async function fetchPayouts(
  { data, clob }: { readonly data: HttpJson; readonly clob: HttpJson },
  closed: readonly GammaMarketFacts[],
): Promise<ReadonlyMap<string, Payout>> {
  const payouts = new Map<string, Payout>();
  const resolutions = await fetchResolutions(data, closed);
  const unclear: GammaMarketFacts[] = [];
  for (const market of closed) {
    const told = resolutions.get(market.condition);
    if (told?.isFinal === false) continue;
    const resolvedAtS = told?.resolvedAtS ?? market.closedAtS;
    const payoutMicros = told?.payoutMicros ?? market.payoutMicros;
    if (resolvedAtS === null) continue;
    if (payoutMicros === null) unclear.push(market);
    else payouts.set(market.condition, { payoutMicros, resolvedAtS });
  }
  for (const group of inGroups(unclear, CLOB_CALLS_MAX)) {
    await Promise.all(
      group.map(async (market) => {
        const payoutMicros = await fetchClobPayout(clob, market);
        const resolvedAtS = resolutions.get(market.condition)?.resolvedAtS ?? market.closedAtS;
        if (payoutMicros !== null && resolvedAtS !== null) payouts.set(market.condition, { payoutMicros, resolvedAtS });
      }),
    );
  }
  return payouts;
}

async function fetchResolutions(
  data: HttpJson,
  closed: readonly GammaMarketFacts[],
): Promise<ReadonlyMap<string, ResolutionV2>> {
  const found = new Map<string, ResolutionV2>();
  for (const group of inGroups(closed, CONDITIONS_PER_CALL)) {
    const ids = group.map(({ condition }) => condition).join(',');
    const body = await askOrNothing(data, `/v2/resolutions?condition=${ids}`);
    for (const [condition, resolution] of parseResolutionsV2(body) ?? []) found.set(condition, resolution);
  }
  return found;
}

async function fetchClobPayout(
  clob: HttpJson,
  { condition, tokens }: GammaMarketFacts,
): Promise<readonly number[] | null> {
  const told = parseClobWinner(await askOrNothing(clob, `/markets/${condition}`));
  return told?.condition === condition ? clobPayoutMicros(told, tokens) : null;
}

async function askOrNothing(upstream: HttpJson, path: string): Promise<unknown> {
  try {
    const answer = await upstream.get(path);
    return answer.kind === 'ok' ? answer.body : null;
  } catch (error) {
    if (error instanceof OutsideError) return null;
    throw error;
  }
}
