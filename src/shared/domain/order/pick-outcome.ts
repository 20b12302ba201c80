import type { Market, Outcome, VenueEvent } from '../market.js';
import { foldName } from './same-name.js';

/** One outcome of one market: what an order can be priced on. */
export interface Target {
  readonly market: Market;
  readonly outcome: Outcome;
}

/** How a name is compared: the whole of it, or any part. */
type Match = 'whole' | 'part';

/**
 * `refused` lists names that would have been accepted; it is empty if nothing can be picked at all.
 * `unreadable`: what is meant may be a market that could not be read.
 */
export type OutcomePick =
  | ({ readonly kind: 'picked'; readonly match: Match } & Target)
  | { readonly kind: 'refused'; readonly candidates: readonly string[] }
  | { readonly kind: 'unreadable' };

/** The venue's widest events hold about 130 markets; a refusal need not list more than this. */
export const CANDIDATES_MAX = 100;

/**
 * Labels that half the venue's markets carry: none of them shows which market of an event is meant.
 */
const GENERIC_LABELS: ReadonlySet<string> = new Set(['yes', 'no', 'over', 'under', 'up', 'down', 'odd', 'even']);

/** Markets that are searched together, before any later tier is looked at. */
type Tier = readonly [markets: readonly Market[], match: Match];

/** The markets of an event, as the venue listed them. */
type Listed = Pick<VenueEvent, 'markets' | 'listedCount' | 'unreadableCount'>;

/**
 * Returns the outcome of one market that a caller means: that of a label, the Yes of a Yes/No
 * market by its title, question or slug, and that Yes where no name is given. A placeholder is
 * never meant, and nothing by a name in which nothing can be seen.
 */
export function pickWithin(market: Market, outcome: string | undefined): OutcomePick {
  if (market.placeholder) return { kind: 'refused', candidates: [] };
  const wanted = foldName(outcome ?? '');
  const tiers: readonly Tier[] = [
    [[market], 'whole'],
    [[market], 'part'],
  ];
  const yes = outcome === undefined ? yesOf(market) : null;
  const pick =
    wanted !== '' ? search(tiers, wanted) : yes && { targets: [{ market, outcome: yes }], match: 'whole' as const };
  return onlyOne(pick) ?? { kind: 'refused', candidates: market.outcomes.map(({ label }) => label) };
}

/**
 * Returns the outcome that a caller means by `outcome` among the markets of an event. Names are
 * compared as a whole first, anywhere in the event, and then in part. The exact name of a closed
 * market goes before a part of an open one's: who names a market that is over must hear so, not be
 * given its neighbor. Apart from that, closed markets come last. `preferred`, one of them, goes
 * first among the parts.
 *
 * What the venue lists and cannot be picked here counts too: nothing is the only one in its place.
 */
export function pickAmong(event: Listed, outcome: string | undefined, preferred?: Market): OutcomePick {
  const markets = event.markets.filter((market) => !market.placeholder);
  const [only] = markets;
  if (only !== undefined && event.listedCount === 1) return pickWithin(only, outcome);
  const isWhole = event.unreadableCount === 0;
  if (only === undefined) return isWhole ? { kind: 'refused', candidates: [] } : { kind: 'unreadable' };
  const isHiding = event.listedCount > markets.length;
  const open = markets.filter((market) => !market.status.closed);
  const closed = markets.filter((market) => market.status.closed);
  const refuse = (some: readonly Market[]) => refusal(some, markets, isHiding);
  const wanted = foldName(outcome ?? '');
  const openOrAll = open.length > 0 ? open : closed;
  // The label of a market that is not to be seen may be the same.
  if (wanted === '' || (isHiding && GENERIC_LABELS.has(wanted))) return refuse(openOrAll);
  const whole: readonly Tier[] = [
    [open, 'whole'],
    [closed, 'whole'],
  ];
  const parts: readonly Tier[] = [
    [preferred === undefined ? [] : [preferred], 'part'],
    [open, 'part'],
    [closed, 'part'],
  ];
  const found = search(isWhole ? [...whole, ...parts] : whole, wanted);
  if (found !== null) return onlyOne(found) ?? refuse(marketsOf(found.targets));
  return isWhole ? refuse(openOrAll) : { kind: 'unreadable' };
}

interface Found {
  readonly targets: readonly Target[];
  readonly match: Match;
}

/** Returns all targets of the first tier that has any. */
function search(tiers: readonly Tier[], wanted: string): Found | null {
  for (const [markets, match] of tiers) {
    const targets = markets.flatMap((market) => targetsOf(market, wanted, match));
    if (targets.length > 0) return { targets, match };
  }
  return null;
}

/**
 * What a name means within one market: a label its outcome, and any other name of the market its
 * Yes. Between two other labels ("Lakers", "Celtics") such a name does not choose, unless the label
 * is said with it.
 */
function targetsOf(market: Market, wanted: string, match: Match): readonly Target[] {
  // Yes is no part of "Yesterday", and No none of "Novak".
  if (match === 'part' && GENERIC_LABELS.has(wanted)) return [];
  const holds = (name: string) => (match === 'whole' ? foldName(name) === wanted : holdOf(foldName(name), wanted));
  const matches = (name: string) => holds(name) === true;
  const toTarget = (outcome: Outcome): Target => ({ market, outcome });
  // Any of the outcomes may be meant, so that none of them is chosen.
  const labels = market.outcomes.map(({ label }) => label);
  const isTurned = [...labels, market.groupItemTitle ?? '', market.question].some((name) => holds(name) === 'turned');
  if (isTurned) return market.outcomes.map(toTarget);
  const labelled = market.outcomes.filter(({ label }) => matches(label));
  if (labelled.length > 0) return labelled.map(toTarget);
  // A part of a slug shows too little: all slugs of an event begin alike.
  const isNamed = matches(market.groupItemTitle ?? '') || matches(market.question) || foldName(market.slug) === wanted;
  if (isNamed) return meantBy(market).map(toTarget);
  if (match === 'part' || !wanted.includes(':')) return [];
  return market.outcomes.filter((one) => fullNames(market, one).some(matches)).map(toTarget);
}

/**
 * Whether a part is somewhere in a name without cutting a number or a word: December 1 is no part of
 * December 15, 5 °C none of -5 °C, and UK none of Ukraine. A long part may leave a word unfinished.
 * `turned`: it leaves out what turns its meaning, as 1% does in <1%, 5 in 5+, and change in No
 * change.
 */
function holdOf(name: string, part: string): boolean | 'turned' {
  let isHeld = false;
  for (let at = name.indexOf(part); at !== -1; at = name.indexOf(part, at + 1)) {
    const end = at + part.length;
    const cutsNumber = isInNumber(name, at) || isInNumber(name, end) || isSigned(name, at);
    const cutsWord = isInWord(name, at) || (part.length <= WHOLE_WORD_LENGTH_MAX && isInWord(name, end));
    if (cutsNumber || cutsWord) continue;
    if (isCompared(name, at) || isOrMore(name, end) || isDenied(name, at)) return 'turned';
    isHeld = true;
  }
  return isHeld;
}

/** A part as short as this is in too many words. */
const WHOLE_WORD_LENGTH_MAX = 3;

/** Whether one word stands on both sides of a position. Some scripts write no end of a word. */
const isInWord = between(/\p{Script=Latin}$/u, /^\p{Script=Latin}/u);
/**
 * Whether a number begins at a position, and its sign is before it, or before its currency. Names
 * are folded: a minus is a dash.
 */
const isSigned = between(/(?<![\p{L}\p{N}])[-+]\p{Sc}?$/u, /^\p{Sc}?[.,]?\d/u);
/** Whether a number begins at a position, after a sign of comparison or that and its currency. */
const isCompared = between(/[<>=≤≥≦≧⩽⩾] ?\p{Sc}?$/u, /^[-+]?\p{Sc}?[.,]?\d/u);
/** Whether a number, or its short unit, ends at a position, and the plus of "or more" follows. */
const isOrMore = between(/\d[%°\p{L}]{0,3}$/u, /^[%°\p{L}]{0,3} ?\+/u);
/** Whether a position comes right after a word that denies. */
const isDenied = between(/(?<![\p{L}\p{N}])(?:no|not|non)[ -]$/u, /^/);
/** Whether one number stands on both sides of a position, such as 40.5 or 110,000. */
const isInNumber = between(/\d[.,]?$/, /^[.,]?\d/);

/** Returns the test of what is before and after a position of a name. */
function between(before: RegExp, after: RegExp): (name: string, at: number) => boolean {
  return (name, at) => before.test(name.slice(0, at)) && after.test(name.slice(at));
}

/** What the name of a market means: its Yes, or any of its outcomes. */
function meantBy(market: Market): readonly Outcome[] {
  const yes = yesOf(market);
  return yes === null ? market.outcomes : [yes];
}

/**
 * The Yes of a market of Yes and No, the one kind of market whose sides have a default; null in any
 * other.
 */
function yesOf({ outcomes }: Market): Outcome | null {
  const labelled = (wanted: string) => outcomes.find(({ label }) => foldName(label) === wanted);
  return outcomes.length === 2 && labelled('no') !== undefined ? (labelled('yes') ?? null) : null;
}

/** Names of one outcome that hold the market's, from the best to the clumsiest. */
function fullNames(market: Market, { label }: Outcome): readonly string[] {
  return namesOf(market).map((name) => `${name}: ${label}`);
}

function namesOf({ groupItemTitle, question, slug }: Market): readonly string[] {
  return [groupItemTitle ?? '', question, slug].filter((name) => foldName(name) !== '');
}

function onlyOne(found: Found | null): OutcomePick | null {
  const [target, ...others] = found?.targets ?? [];
  if (found === null || target === undefined || others.length > 0) return null;
  return { kind: 'picked', match: found.match, ...target };
}

/**
 * Names each of `markets` by the first of its names that stands for it, and nothing else, among
 * `all`.
 */
function refusal(markets: readonly Market[], all: readonly Market[], isHiding: boolean): OutcomePick {
  const meanings = countMeanings(all);
  const isAccepted = (name: string) => {
    const folded = foldName(name);
    return folded !== '' && meanings.get(folded) === 1 && !(isHiding && GENERIC_LABELS.has(folded));
  };
  const candidates = new Set<string>();
  for (const market of markets) {
    for (const name of candidatesOf(market).find((names) => names.every(isAccepted)) ?? []) candidates.add(name);
    if (candidates.size >= CANDIDATES_MAX) break;
  }
  return { kind: 'refused', candidates: [...candidates].slice(0, CANDIDATES_MAX) };
}

/** Sets of names that a market can be offered by, from the best to the clumsiest. */
function candidatesOf(market: Market): readonly (readonly string[])[] {
  if (yesOf(market) !== null) return namesOf(market).map((name) => [name]);
  const labels = market.outcomes.map(({ label }) => label);
  const areNames = labels.every((label) => !GENERIC_LABELS.has(foldName(label)));
  const full = namesOf(market).map((_, index) => market.outcomes.map((one) => fullNames(market, one)[index]!));
  return areNames ? [labels, ...full] : full;
}

/** How many targets each whole name stands for. */
function countMeanings(markets: readonly Market[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const market of markets) {
    const own = new Map<string, number>();
    for (const outcome of market.outcomes) {
      for (const name of new Set(fullNames(market, outcome).map(foldName))) own.set(name, (own.get(name) ?? 0) + 1);
    }
    for (const name of namesOf(market).map(foldName)) own.set(name, meantBy(market).length);
    const labels = market.outcomes.map(({ label }) => foldName(label));
    for (const label of labels) own.set(label, labels.filter((one) => one === label).length);
    for (const [name, count] of own) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

function marketsOf(targets: readonly Target[]): readonly Market[] {
  return [...new Set(targets.map(({ market }) => market))];
}
