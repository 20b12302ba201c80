import { groupBy } from '#domain/rating/group-by';
import { type EventPool, type NightPools, type Pool, varianceOf, zOf } from './bets.js';
import { byWallet, type NightRule, STRICT_GATES } from './rule.js';

/** Rules that pool by event or by category before they test (docs/ratings.md, "What was tried"). */
export const POOLED: readonly NightRule[] = [
  rule('events as one bet (rho 1)', ({ window }) => zOf(window, 1), 1.92),
  rule('z by the spread between events', ({ window }) => zBetweenEvents(window), 2.12),
  rule('z without the best event', ({ window }) => zWithout(window, bestEvents(window, 1)), 1.71),
  rule('z without the best 3 events', ({ window }) => zWithout(window, bestEvents(window, 3)), 1.32),
  rule('z without the best category', ({ window }) => zWithout(window, bestCategory(window)), 0.885),
  rule('z by a mean of categories, spread 3c', ({ window }) => zOfCategories(window), 1.76),
];

function rule(name: string, z: (pools: NightPools) => number, min: number): NightRule {
  return byWallet(`${name} >= ${min}`, STRICT_GATES, ({ pools }) => z(pools) >= min);
}

/** What is seen between events alone: nothing is assumed of prices. */
function zBetweenEvents({ events, score }: Pool): number {
  return score / Math.sqrt([...events.values()].reduce((sum, event) => sum + event.score ** 2, 0));
}

function bestEvents({ events }: Pool, count: number): readonly EventPool[] {
  return [...events.values()].toSorted((a, b) => b.score - a.score).slice(0, count);
}

function bestCategory({ events }: Pool): readonly EventPool[] {
  const [best] = [...byCategory(events).values()].toSorted((a, b) => scoreOf(b) - scoreOf(a));
  return best ?? [];
}

function zWithout(pool: Pool, events: readonly EventPool[]): number {
  const { weight, eventRoots } = sumsOf(events);
  const left = varianceOf({ weight: pool.weight - weight, eventRoots: pool.eventRoots - eventRoots });
  return left > 1 ? (pool.score - scoreOf(events)) / Math.sqrt(left) : Number.NEGATIVE_INFINITY;
}

/** How much edges of one wallet may differ between categories, in dollars. */
const CATEGORY_SPREAD = 0.03;

/** The mean of the edges of the categories, each by what is known of it. */
function zOfCategories({ events }: Pool): number {
  let sum = 0;
  let precision = 0;
  for (const ofCategory of byCategory(events).values()) {
    const sums = sumsOf(ofCategory);
    const share = 1 / (varianceOf(sums) / sums.weight ** 2 + CATEGORY_SPREAD ** 2);
    sum += (share * scoreOf(ofCategory)) / sums.weight;
    precision += share;
  }
  return sum / Math.sqrt(precision);
}

function byCategory(events: Pool['events']): ReadonlyMap<string, readonly EventPool[]> {
  return groupBy([...events.values()], ({ category }) => category);
}

function scoreOf(events: readonly EventPool[]): number {
  return events.reduce((sum, { score }) => sum + score, 0);
}

function sumsOf(events: readonly EventPool[]): { readonly weight: number; readonly eventRoots: number } {
  return {
    weight: events.reduce((sum, { weight }) => sum + weight, 0),
    eventRoots: events.reduce((sum, { roots }) => sum + roots ** 2, 0),
  };
}
