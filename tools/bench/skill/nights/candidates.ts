import { rateSums } from '#domain/rating/rate-sums';
import type { RatingReason } from '#domain/rating/rating';
import { RATING_CONFIG, SCORE_2_CONFIG } from '#domain/rating/rating-config';
import { type EdgeEvidence, STRENGTH } from '#domain/rating/strength/edge-grid';
import { type EdgePrior, fitEdgePrior } from '#domain/rating/strength/edge-prior';
import type { EdgeCell } from '#domain/rating/strength/edge-tally';
import { sumWallet } from '#domain/rating/sum-wallet';
import { AS_OF_S, DAY_S, WINDOW_DAYS } from '../calendar.js';
import { tidyFills, walletAddress } from '../entry-fills.js';
import { forwardOf } from '../ground-truth.js';
import { type Population, populationOf, withProportionalEdge } from '../populations.js';
import { countOf, type Entry, entriesOf } from '../wallet-entries.js';
import type { World } from '../world.js';
import { type Bet, betsOf, evidenceOf, type NightPools, poolsAt, scoredTimes, windowAt, zOf } from './bets.js';

/** The moments that are rated: a month apart, so that two of them share few entries. */
export const NIGHTS_S = [0, 30, 60].map((days) => AS_OF_S + days * DAY_S);

/** Days of bets before the window that are kept, for rules that look at the nights before. */
const NIGHTS_BEFORE = 30;

/**
 * A wallet on one night that some rule might call COPY. Wallets with less never are: rules differ
 * by what they ask beyond this.
 */
export interface Candidate {
  /** The same number on all nights of a wallet, unique in its world. */
  readonly wallet: number;
  readonly skill: Population['skill'];
  readonly edgeMicros: number;
  readonly asOfS: number;
  /** Expected forward ROI; null where nothing follows. */
  readonly forwardRoi: number | null;
  /** None of the first rows of the decision table applies, which no rule changes. */
  readonly isEligible: boolean;
  /** By the rating in force, and by the one before it. */
  readonly isCopy: boolean;
  readonly isScore2Copy: boolean;
  readonly bets: readonly Bet[];
  readonly pools: NightPools;
}

/** One night of a world: its candidates, and what the board-wide rules and the rates need of all. */
export interface WorldNight {
  readonly seed: number;
  readonly asOfS: number;
  readonly candidates: Candidate[];
  /** Wallets without skill that have a profile. */
  coveredUnskilled: number;
  /** Wallets with as many bets as the two months of the former rule have at least. */
  testable: number;
  skilled: number;
  wallets: number;
  /** How the edges of the wallets with 20 bets or more are spread; null where they are too few. */
  prior: EdgePrior | null;
}

/**
 * Wallets with fewer entries in 210 days are left out, and counted by every tenth: of 47,307 with 40
 * to 79 (seeds 2001 and 2002) neither the rating nor the one of score version 2 made any COPY.
 */
const ENTRIES_MIN = 80;
const SMALL_EVERY = 10;

const TESTABLE_BETS = 35;
const LEAST = { bets: 25, inSample: 8, outOfSample: 8, z: 0.8 };
const FIRST_ROWS: readonly RatingReason[] = [
  'below_floor',
  'both_sides',
  'few_resolved',
  'lost_money',
  'fee_fragile',
  'farming',
];

/** Returns the nights of a world with `wallets` wallets. */
export function findCandidates(world: World, seed: number, wallets: number, isProportional: boolean): WorldNight[] {
  const nights = NIGHTS_S.map((asOfS): WorldNight => {
    return { seed, asOfS, candidates: [], coveredUnskilled: 0, testable: 0, skilled: 0, wallets, prior: null };
  });
  const evidence = nights.map(() => new Map<string, EdgeCell>());
  const scoredAtS = scoredTimes(world);
  for (let wallet = 0; wallet < wallets; wallet++) {
    const flat = populationOf(wallet);
    const population = isProportional ? withProportionalEdge(flat) : flat;
    const isSmall = countOf(population, seed, wallet) < ENTRIES_MIN;
    if (population.skill === 'skilled') for (const night of nights) night.skilled += 1;
    if (isSmall && wallet % SMALL_EVERY !== 0) continue;
    const entries = entriesOf(world, population, seed, wallet);
    for (const night of nights) {
      if (population.skill === 'never' && isCoveredAt(entries, night.asOfS)) {
        night.coveredUnskilled += isSmall ? SMALL_EVERY : 1;
      }
    }
    if (!isSmall) addWallet(nights, evidence, { world, scoredAtS }, { wallet, population, entries, seed });
  }
  for (const [i, night] of nights.entries()) night.prior = fitEdgePrior([...evidence[i]!.values()]);
  return nights;
}

function isCoveredAt(entries: readonly Entry[], asOfS: number): boolean {
  const fromS = asOfS - WINDOW_DAYS * DAY_S;
  return entries.filter(({ timeS }) => timeS >= fromS && timeS < asOfS).length >= RATING_CONFIG.coverageFloor;
}

interface Generated {
  readonly wallet: number;
  readonly population: Population;
  readonly entries: readonly Entry[];
  readonly seed: number;
}

function addWallet(
  nights: readonly WorldNight[],
  evidence: readonly Map<string, EdgeCell>[],
  { world, scoredAtS }: { readonly world: World; readonly scoredAtS: Float64Array },
  generated: Generated,
): void {
  const bets = betsOf(world, scoredAtS, generated.entries);
  for (const [i, night] of nights.entries()) {
    const window = windowAt(bets, night.asOfS);
    const seen = evidenceOf(window);
    if (window.bets.length >= STRENGTH.entriesMin && seen !== null) addEvidence(evidence[i]!, seen);
    if (window.bets.length >= TESTABLE_BETS) night.testable += 1;
    if (window.bets.length < LEAST.bets || zOf(window) < LEAST.z) continue;
    const pools = poolsAt(bets, night.asOfS);
    if (pools.inSample.bets.length < LEAST.inSample || pools.outOfSample.bets.length < LEAST.outOfSample) continue;
    night.candidates.push(candidateOf(world, generated, bets, pools, night.asOfS));
  }
}

/** In cells of half a cent and a tenth of the error, as `EdgeTally` has them for exact sums. */
function addEvidence(cells: Map<string, EdgeCell>, { mean, standardError }: EdgeEvidence): void {
  const [meanNo, errorNo] = [Math.round(mean * 200), Math.round(Math.log(standardError) / Math.log(1.1))];
  const key = `${meanNo} ${errorNo}`;
  const wallets = (cells.get(key)?.wallets ?? 0) + 1;
  cells.set(key, { mean: meanNo / 200, standardError: 1.1 ** errorNo, wallets });
}

function candidateOf(
  world: World,
  { wallet, population, entries, seed }: Generated,
  bets: readonly Bet[],
  pools: NightPools,
  asOfS: number,
): Candidate {
  const address = walletAddress(seed, wallet);
  const seen = tidyFills(
    world,
    address,
    entries.filter(({ timeS }) => timeS < asOfS),
  );
  const sums = sumWallet(address, seen, world.markets, asOfS, RATING_CONFIG);
  const { verdict, reason } = rateSums(sums, asOfS, RATING_CONFIG);
  const score2 = rateSums(sums, asOfS, SCORE_2_CONFIG);
  const fromS = asOfS - (WINDOW_DAYS + NIGHTS_BEFORE) * DAY_S;
  return {
    ...{ wallet, asOfS, pools },
    skill: population.skill,
    edgeMicros: population.edgeMicros,
    forwardRoi: forwardOf(world, entries, asOfS)?.expectedRoi ?? null,
    isEligible: !FIRST_ROWS.includes(reason),
    isCopy: verdict === 'COPY',
    isScore2Copy: score2.verdict === 'COPY',
    bets: bets.filter(({ timeS }) => timeS >= fromS && timeS < asOfS),
  };
}
