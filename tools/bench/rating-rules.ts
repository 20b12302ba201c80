import { findCandidates } from './skill/nights/candidates.js';
import { DISCOVERY } from './skill/nights/discovery.js';
import { RuleWorlds } from './skill/nights/paired-tally.js';
import { POOLED } from './skill/nights/pooled.js';
import { IN_FORCE, SCORE_2 } from './skill/nights/rule.js';
import { figureTable, pairedTable } from './skill/nights/rule-tables.js';
import { SEQUENTIAL } from './skill/nights/sequential.js';
import { SHRUNKEN } from './skill/nights/shrunken.js';
import { makeWorld } from './skill/world.js';
import { type Section, show } from './support/report.js';
import { progress } from './support/rounds.js';

const WALLETS = Number(process.env.BENCH_WALLETS ?? 100_000);
const SEEDS = (process.env.BENCH_SEEDS ?? '2001,2002,2003').split(',').map(Number);
const ATTENTION = process.env.BENCH_ATTENTION === 'listed' ? 'listed' : 'open';
const IS_EDGE_PROPORTIONAL = process.env.BENCH_EDGE === 'proportional';

/**
 * Compares rules that might take the place of the rating on the same wallets and nights
 * (docs/ratings.md, "What was tried").
 */
export async function benchRatingRules(): Promise<Section> {
  const rules = [SCORE_2, IN_FORCE, ...POOLED, ...SHRUNKEN, ...SEQUENTIAL, ...DISCOVERY].map(
    (rule) => new RuleWorlds(rule),
  );
  for (const seed of SEEDS) {
    for (const night of findCandidates(makeWorld(seed, ATTENTION), seed, WALLETS, IS_EDGE_PROPORTIONAL)) {
      for (const rule of rules) rule.add(night);
    }
    progress(`rating rules: seed ${seed}`);
  }
  const how = `${SEEDS.length} worlds (seeds ${SEEDS.join(', ')}) of ${show(WALLETS)} wallets each, on three nights; wallets look at ${ATTENTION} markets; edges are ${IS_EDGE_PROPORTIONAL ? 'in proportion to the price' : 'the same at every price'}.`;
  const texts = [how, figureTable(rules), pairedTable(rules)];
  return { title: 'Wallet ratings: rules that might take their place', texts, goals: [] };
}
