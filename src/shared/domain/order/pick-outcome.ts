import type { Market, Outcome } from '../market.js';

/** One outcome of one market: what an order can be priced on. */
export interface Target {
  readonly market: Market;
  readonly outcome: Outcome;
}

/**
 * `refused` lists names that would have been accepted; it is empty if nothing can be picked at all.
 */
export type OutcomePick =
  | ({ readonly kind: 'picked' } & Target)
  | { readonly kind: 'refused'; readonly candidates: readonly string[] };

/** The venue's widest events hold about 130 markets; a refusal need not list more than this. */
export const CANDIDATES_MAX = 100;

/**
 * Labels that half the venue's markets carry: none of them shows which market of an event is meant.
 */
const GENERIC_LABELS: ReadonlySet<string> = new Set(['yes', 'no', 'over', 'under', 'up', 'down', 'odd', 'even']);

/** How a name is compared: the whole of it, or any part. */
type Match = 'whole' | 'part';

/** Markets that are searched together, before any later tier is looked at. */
type Tier = readonly [markets: readonly Market[], match: Match];

/**
 * Returns the outcome that a caller means by `outcome` among the markets of an event (or the one
 * market of a slug). Placeholders are never meant. Matching ignores case and is exact first, then
 * by a unique part of a name.
 */
export function pickOutcome(markets: readonly Market[], outcome: string | undefined): OutcomePick {
  const named = markets.filter((market) => !market.placeholder);
  const wanted = normalize(outcome ?? '');
  const [only, ...others] = named;
  if (only === undefined) return { kind: 'refused', candidates: [] };
  return others.length === 0 ? pickWithin(only, wanted) : pickAmong(named, wanted);
}

/**
 * The one kind of market whose sides have a default: Yes. Between two names ("Lakers", "Celtics")
 * nobody else can choose.
 */
const YES_NO: ReadonlySet<string> = new Set(['yes', 'no']);

/**
 * One market: no name means the first outcome of a Yes/No market, and nothing in any other. The
 * market's own title, question or slug means its first outcome.
 */
function pickWithin(market: Market, wanted: string): OutcomePick {
  const tiers: readonly Tier[] = [
    [[market], 'whole'],
    [[market], 'part'],
  ];
  const targets = wanted === '' ? defaultOf(market) : search(tiers, wanted);
  return onlyOne(targets) ?? { kind: 'refused', candidates: market.outcomes.map((outcome) => outcome.label) };
}

/**
 * Several markets. The exact name of a closed market goes before a part of an open one's: who names
 * a market that is over must hear so, not be given its neighbour. Apart from that, closed markets
 * come last.
 */
function pickAmong(markets: readonly Market[], wanted: string): OutcomePick {
  const open = markets.filter((market) => !market.status.closed);
  const closed = markets.filter((market) => market.status.closed);
  const tiers: readonly Tier[] = [
    [open, 'whole'],
    [closed, 'whole'],
    [open, 'part'],
    [closed, 'part'],
  ];
  const targets = wanted === '' ? [] : search(tiers, wanted);
  if (targets.length > 0) return onlyOne(targets) ?? refuse(marketsOf(targets), markets);
  return refuse(open.length > 0 ? open : closed, markets);
}

/** Returns all targets of the first tier that has any. */
function search(tiers: readonly Tier[], wanted: string): readonly Target[] {
  for (const [markets, match] of tiers) {
    const targets = markets.flatMap((market) => targetsOf(market, wanted, match));
    if (targets.length > 0) return targets;
  }
  return [];
}

/**
 * What a name means within one market: a label its outcome, any other name of the market its first
 * outcome.
 */
function targetsOf(market: Market, wanted: string, match: Match): readonly Target[] {
  const matches = (name: string) => (match === 'whole' ? normalize(name) === wanted : normalize(name).includes(wanted));
  const labelled = market.outcomes.filter((outcome) => matches(outcome.label));
  if (labelled.length > 0) return labelled.map((outcome) => ({ market, outcome }));
  // A part of a slug shows too little: all slugs of an event begin alike.
  const isNamed = matches(market.groupItemTitle ?? '') || matches(market.question) || normalize(market.slug) === wanted;
  return isNamed ? firstOf(market) : [];
}

function defaultOf(market: Market): readonly Target[] {
  return market.outcomes.every(({ label }) => YES_NO.has(normalize(label))) ? firstOf(market) : [];
}

function firstOf(market: Market): readonly Target[] {
  const outcome = market.outcomes[0];
  return outcome === undefined ? [] : [{ market, outcome }];
}

function onlyOne(targets: readonly Target[]): OutcomePick | null {
  const [target, ...others] = targets;
  return target === undefined || others.length > 0 ? null : { kind: 'picked', ...target };
}

/**
 * Names each of `markets` by the first of its names that stands for it, and nothing else, among
 * `all`.
 */
function refuse(markets: readonly Market[], all: readonly Market[]): OutcomePick {
  const meanings = countMeanings(all);
  const candidates = new Set<string>();
  for (const market of markets) {
    const isUnique = (name: string) => normalize(name) !== '' && meanings.get(normalize(name)) === 1;
    for (const name of namesOf(market).find((names) => names.every(isUnique)) ?? [market.slug]) candidates.add(name);
    if (candidates.size >= CANDIDATES_MAX) break;
  }
  return { kind: 'refused', candidates: [...candidates].slice(0, CANDIDATES_MAX) };
}

/**
 * From the best name of a market to the clumsiest. Without a title, labels that are names
 * ("Lakers") serve as one.
 */
function namesOf(market: Market): readonly (readonly string[])[] {
  const labels = market.outcomes.map((outcome) => outcome.label);
  const areNames = labels.every((label) => !GENERIC_LABELS.has(normalize(label)));
  const short = market.groupItemTitle !== null ? [[market.groupItemTitle]] : areNames ? [labels] : [];
  return market.question === '' ? short : [...short, [market.question]];
}

/** How many targets each exact name stands for. */
function countMeanings(markets: readonly Market[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const market of markets) {
    const labels = market.outcomes.map((outcome) => normalize(outcome.label));
    const others = [market.groupItemTitle ?? '', market.question, market.slug].map(normalize);
    const names = [...labels, ...new Set(others.filter((name) => !labels.includes(name)))];
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function marketsOf(targets: readonly Target[]): readonly Market[] {
  return [...new Set(targets.map((target) => target.market))];
}

/**
 * One spelling for names that people and the venue type differently: case, and accents in one or
 * two characters.
 */
function normalize(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
