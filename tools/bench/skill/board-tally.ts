import type { RatedOnBoards } from './rate-world.js';
import { BY_ROI, CHOSEN, NAIVE, RULES, SCORE_2, VARIANTS } from './rules.js';
import { StrongTally } from './strong-tally.js';
import { CoverageTally, isCovered, isTestable, isTrulyGood, PowerTally, ReasonTally, RuleTally } from './tally.js';

/** All counts of a run, over all of its seeds. */
export class BoardTally {
  wallets = 0;
  trulyGood = 0;
  /**
   * Wallets without skill: those with enough entries for a profile, and of these those that can be
   * told from luck.
   */
  neverSkilledCovered = 0;
  neverSkilledTestable = 0;
  trulyGoodTestable = 0;
  readonly rules = RULES.map((rule) => new RuleTally(rule));
  readonly variants = VARIANTS.map((rule) => new RuleTally(rule));
  readonly reasons = new ReasonTally();
  readonly power = [BY_ROI, SCORE_2, CHOSEN].map((rule) => new PowerTally(rule));
  readonly coverage = new CoverageTally();
  readonly strong = new StrongTally();
  /** The chosen rule and the naive one where nobody has skill. */
  readonly unskilled = {
    chosen: new RuleTally(CHOSEN),
    strong: new StrongTally(),
    naive: new RuleTally(NAIVE),
    covered: 0,
  };
  readonly placebo = {
    chosen: new RuleTally(CHOSEN),
    strong: new StrongTally(),
    naive: new RuleTally(NAIVE),
    covered: 0,
  };

  add({ real, unskilled, placebo }: RatedOnBoards): void {
    this.wallets += 1;
    this.#count(real);
    for (const tally of [...this.rules, ...this.variants, this.reasons, ...this.power, this.coverage]) tally.add(real);
    if (isCovered(unskilled)) this.unskilled.covered += 1;
    if (isCovered(placebo)) this.placebo.covered += 1;
    this.strong.add(real);
    for (const tally of [this.unskilled.chosen, this.unskilled.strong, this.unskilled.naive]) tally.add(unskilled);
    for (const tally of [this.placebo.chosen, this.placebo.strong, this.placebo.naive]) tally.add(placebo);
  }

  /** To be called after the last wallet of a world: the second mark is made by all of a board. */
  endWorld(): void {
    for (const { strong } of [this, this.unskilled, this.placebo]) strong.endBoard();
  }

  #count(real: RatedOnBoards['real']): void {
    const isNever = real.population.skill === 'never';
    const isGood = isTrulyGood(real);
    if (isNever && isCovered(real)) this.neverSkilledCovered += 1;
    if (isNever && isTestable(real)) this.neverSkilledTestable += 1;
    if (isGood) this.trulyGood += 1;
    if (isGood && isTestable(real)) this.trulyGoodTestable += 1;
  }

  ruleOf(rule: typeof CHOSEN): RuleTally {
    return this.rules.find((tally) => tally.rule === rule)!;
  }
}
