import { DAY_S, isoDay } from '../time.js';
import { edgeOf, shrunkenEdge } from './rate-pool.js';
import type { RatingReason } from './rating.js';
import type { RatingFacts } from './rating-facts.js';
import type { PoolSums } from './rating-sums.js';
import { meanReturnPct, percentOf, toHundredths, toTenths } from './shown-numbers.js';

/**
 * Returns are shown with one decimal; what is compared is not rounded (docs/ratings.md, "Decision
 * table").
 */
const DECIMALS = 1;

const slippagePct = ({ returnSlippageNano, resolved }: RatingFacts['sums']) =>
  meanReturnPct(returnSlippageNano, resolved, DECIMALS);
const feePct = ({ returnFeeNano, resolved }: RatingFacts['sums']) => meanReturnPct(returnFeeNano, resolved, DECIMALS);
const poolPct = ({ returnFeeNano, entries }: PoolSums) => meanReturnPct(returnFeeNano, entries, DECIMALS);

/** Reasons that the decision table gives. */
type DecidedReason = Exclude<RatingReason, 'tape_short'>;

/** The sentence of each row of the decision table. */
const SENTENCES: Readonly<Record<DecidedReason, (facts: RatingFacts) => string>> = {
  below_floor: ({ sums, config }) =>
    `${sums.firstEntries} first entries in ${config.windowDays} days; the floor is ${config.coverageFloor}. ROI is not shown.`,
  both_sides: ({ sums }) =>
    `Bought both outcomes in ${sums.bothSidedMarkets} of ${sums.markets} markets ` +
    `(${percentOf(sums.bothSidedMarkets, sums.markets, DECIMALS)}%). ` +
    'A copier of both legs pays the slippage twice for an outcome that nets out.',
  few_resolved: ({ sums, config }) =>
    `${sums.resolved} of ${sums.firstEntries} entries can be scored (${sums.earlyResolved} settled before their scheduled end, ` +
    `${sums.firstEntries - sums.resolved - sums.earlyResolved} open); ${config.resolvedFloor} are needed.`,
  lost_money: ({ sums }) =>
    `Copying first entries lost ${loss(slippagePct(sums))}% per dollar staked before fees ` +
    `(${loss(feePct(sums))}% after) over ${sums.resolved} resolved entries.`,
  fee_fragile: ({ sums }) =>
    `${slippagePct(sums)}% before fees turns into ${feePct(sums)}% after fees over ${sums.resolved} resolved entries.`,
  farming: ({ sums, config }) =>
    `${percentOf(sums.nearCertain, sums.firstEntries, DECIMALS)}% of entries were bought at ` +
    `${config.nearCertainPriceMicrosMin / 1e6} or more: little to win, all to lose, and ` +
    `${config.slippageMicros / 1e4}c is most of the margin.`,
  is_small: ({ inSample, config }) =>
    `In-sample month has ${inSample.entries} scorable entries; ${config.inSampleEntriesMin} are needed.`,
  is_negative: ({ sums, windows }) =>
    `In-sample month ${isoDay(windows.inSampleFromS)}..${isoDay(windows.outOfSampleFromS - DAY_S)}: ` +
    `${poolPct(sums.inSample)}% after fees over ${sums.inSample.entries} entries.`,
  oos_small: ({ outOfSample, config }) =>
    `Out-of-sample month has ${outOfSample.entries} entries in ${outOfSample.events} events; ` +
    `${config.outOfSampleEntriesMin} in ${config.outOfSampleEventsMin} are needed.`,
  oos_failed: ({ sums, outOfSample }) =>
    `In-sample ${poolPct(sums.inSample)}% did not survive: out-of-sample ${poolPct(sums.outOfSample)}% after fees ` +
    `over ${outOfSample.entries} entries (z ${toTenths(outOfSample.z)}).`,
  not_significant: (facts) =>
    `${poolPct(facts.sums.window)}% after fees over ${facts.window.entries} entries (95% interval ${interval(facts)}), ` +
    `${edge(facts)}${shrunken(facts)}: not distinguishable from luck.`,
  one_event: ({ sums: { window } }) =>
    `Without its best event the result is ` +
    `${meanReturnPct(window.returnFeeNano - window.bestEventNano, window.entries, DECIMALS)}%.`,
  unconfirmed: ({ sums }) =>
    `${sums.unconfirmed} of ${sums.resolved} results are known by a last price alone, which the venue has not confirmed: ` +
    'no COPY before it has.',
  validated: (facts) =>
    `${poolPct(facts.sums.window)}% after fees over ${facts.window.entries} entries (95% interval ${interval(facts)}), ` +
    `${edge(facts)}${shrunken(facts)}; out-of-sample month ${poolPct(facts.sums.outOfSample)}% over ${facts.outOfSample.entries} entries ` +
    `in ${facts.outOfSample.events} events.`,
};

/** Returns the sentence of a row of the decision table, with its numbers. */
export function reasonText(reason: DecidedReason, facts: RatingFacts): string {
  return SENTENCES[reason](facts);
}

/** How much was lost, as people say it: without the sign. */
function loss(pct: number | null): number | null {
  return pct === null ? null : 0 - pct;
}

function interval({ window: { ciLow, ciHigh } }: RatingFacts): string {
  const pct = (fraction: number | null) => toTenths(fraction === null ? null : fraction * 100);
  return `${pct(ciLow)}%..${pct(ciHigh)}%`;
}

/** By how much a share paid more than it cost: what the z is about. */
function edge({ sums, config }: RatingFacts): string {
  const received = edgeOf(sums.window, config);
  if (received === null) return 'edge unknown';
  const [mean, low, high] = [received.mean, received.low, received.high].map((cents) => signed(toTenths(cents * 100)!));
  return `edge ${mean}c per share, 95% interval ${low}..${high}c`;
}

/** What is left of the edge beside those of wallets at large, which is compared with a cut-off. */
function shrunken({ sums, config }: RatingFacts): string {
  const { shrunkenEdgeMicrosMin } = config;
  const left = shrunkenEdge(sums.window, config);
  if (left === null || shrunkenEdgeMicrosMin === undefined) return '';
  return `, shrunken edge ${signed(toHundredths(left * 100))}c (${shrunkenEdgeMicrosMin / 1e4}c needed)`;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
