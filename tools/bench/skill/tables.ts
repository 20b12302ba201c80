import { RATING_REASONS } from '#domain/rating/rating';
import { show, table } from '../support/report.js';
import type { BoardTally } from './board-tally.js';
import type { ByDateTrap } from './by-date-trap.js';
import type { PriceDecile } from './calibration.js';
import { poissonInterval } from './poisson.js';
import { POPULATIONS, type Population } from './populations.js';
import { CHOSEN, NAIVE } from './rules.js';
import type { StrongTally } from './strong-tally.js';
import { ACTIVITIES, type RuleTally } from './tally.js';

const pct = (share: number): string => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)} %`);
const signed = (roi: number): string => (roi > 0 ? `+${pct(roi)}` : pct(roi));
const per = (count: number, all: number, scale: number): string => show((count / all) * scale);

/**
 * Returns how many of `all` times `scale`, with the exact 95 % interval of what chance would make
 * of it.
 */
function rate(count: number, all: number, scale: number): string {
  const [low, high] = poissonInterval(count);
  return `${per(count, all, scale)} (${per(low, all, scale)}..${per(high, all, scale)})`;
}

/** The run in four sentences. */
export function summary(board: BoardTally): string {
  const { copies } = board.ruleOf(CHOSEN);
  const found = copies.wallets - copies.neverSkilled - copies.decayed;
  const { held, wallets } = board.coverage;
  return [
    `${show(board.trulyGood)} wallets are truly worth copying, ${show(board.trulyGoodTestable)} of them with enough entries to be tested; ${found} of the skilled get a COPY.`,
    `Of ${show(board.neverSkilledTestable)} wallets without skill that can be tested ${copies.neverSkilled} get one: ${rate(copies.neverSkilled, board.neverSkilledTestable, 100)} %.`,
    `The 95 % interval holds the true ROI in ${pct(held / wallets)} of ${show(wallets)} wallets with a fair sample.`,
    `roi_shrunk promises ${signed(copies.shrunkRoi.value)} for COPY wallets; the truth is ${signed(copies.expectedRoi.value)}.`,
  ].join(' ');
}

const RULE_HEAD = ['never skilled', 'decayed', 'truly good', 'observed ROI', 'forward expected ROI', 'realised'];

function ruleCells({ copies }: RuleTally): string[] {
  const { wallets, neverSkilled, decayed, trulyGood, observedRoi, expectedRoi, realisedRoi } = copies;
  const shares = [pct(neverSkilled / wallets), pct(decayed / wallets), pct(trulyGood / wallets)];
  return [...shares, signed(observedRoi.value), signed(expectedRoi.value), signed(realisedRoi.value)];
}

/** The rating beside simpler rules. */
export function ruleTable(board: BoardTally): string {
  const head = ['rule', 'COPY per 100,000', 'false COPY per 10,000 without skill (95 %)', ...RULE_HEAD];
  const rows = [...board.rules, board.strong.tally].map((tally) => [
    tally.rule.name,
    per(tally.copies.wallets, board.wallets, 100_000),
    rate(tally.copies.neverSkilled, board.neverSkilledCovered, 10_000),
    ...ruleCells(tally),
  ]);
  return table(head, rows);
}

/** The rating with one cut-off changed at a time. */
export function variantTable(board: BoardTally): string {
  const rows = [board.ruleOf(CHOSEN), ...board.variants].map((tally) => [
    tally.rule.name,
    per(tally.copies.wallets, board.wallets, 100_000),
    ...ruleCells(tally),
  ]);
  return table(['one change', 'COPY per 100,000', ...RULE_HEAD], rows);
}

/** Where the wallets end in the decision table, and who they truly are. */
export function reasonTable(board: BoardTally): string {
  const rows = RATING_REASONS.map((reason) => {
    const { wallets, trulyGood, expectedRoi } = board.reasons.of(reason);
    const share = `${((100 * wallets) / board.wallets).toFixed(3)} %`;
    return [reason, share, pct(trulyGood / wallets), signed(expectedRoi.value)];
  });
  return table(['reason', 'wallets', 'truly good', 'forward expected ROI'], rows);
}

/** How many of the skilled are found, by each version of the rating, and by the second mark. */
export function powerTable(board: BoardTally): string {
  const ranges = ACTIVITIES.map((least, i) => (ACTIVITIES[i + 1] ? `${least}-${ACTIVITIES[i + 1]! - 1}` : `${least}+`));
  const skilled = POPULATIONS.filter(({ skill }) => skill === 'skilled');
  const rows = skilled.flatMap(({ name, edgeMicros }) =>
    [...board.power, board.strong.power].map((power) => [
      `${name}, ${power.rule.name}`,
      ...ACTIVITIES.map((_, activity) => {
        const { wallets, copies } = power.of(edgeMicros, activity);
        return wallets === 0 ? '-' : `${(copies / wallets).toFixed(2)} of ${wallets}`;
      }),
    ]),
  );
  return table(['COPY, by scorable filtered entries in 90 days', ...ranges], rows);
}

type WithoutSkill = Pick<BoardTally['unskilled'], 'chosen' | 'naive'> & { readonly strong?: StrongTally };

/** The rating, its second mark and the naive rule where there is nothing to find. */
export function nothingTable(board: BoardTally, trap: ByDateTrap): string {
  const { unskilled, placebo, neverSkilledCovered } = board;
  const row = (name: string, all: number, by: WithoutSkill) => [
    name,
    show(all),
    ...[by.chosen, by.strong?.tally, by.naive].map((tally) =>
      tally === undefined ? '-' : `${tally.copies.wallets}: ${rate(tally.copies.wallets, all, 10_000)}`,
    ),
  ];
  const actual = [board.ruleOf(CHOSEN), board.strong.tally, board.ruleOf(NAIVE)].map(
    ({ copies }) => copies.neverSkilled,
  );
  const actualRow = actual.map((count) => `${count}: ${rate(count, neverSkilledCovered, 10_000)}`);
  return table(
    ['COPY: per 10,000 (95 %)', 'wallets', 'the rating', 'strong', 'naive rule'],
    [
      ['wallets without skill, covered', show(neverSkilledCovered), ...actualRow],
      row('nobody has skill, covered', unskilled.covered, unskilled),
      row('placebo: results drawn from prices', placebo.covered, placebo),
      row('by-date YES, scheduled end passed', trap.wallets, trap.matured),
      row('by-date YES, whatever is settled', trap.wallets, trap.settled),
    ],
  );
}

/** How much of the COPY list has no skill if fewer or more wallets have it. */
export function prevalenceTable(board: BoardTally): string {
  const prevalences = [0.003, 0.01, 0.03];
  const rows = [CHOSEN, NAIVE].map((rule) => {
    const { copies } = board.ruleOf(rule);
    const [found, lucky] = [copies.wallets - copies.neverSkilled - copies.decayed, copies.neverSkilled];
    const shares = prevalences.map((share) => {
      const skilled = (found / shareOf('skilled')) * share;
      const unskilled = (lucky / shareOf('never')) * (1 - share);
      return pct(unskilled / (skilled + unskilled));
    });
    return [rule.name, ...shares];
  });
  return table(['without skill among COPY, if skilled are', ...prevalences.map(pct)], rows);
}

function shareOf(skill: Population['skill']): number {
  return POPULATIONS.reduce((sum, population) => sum + (population.skill === skill ? population.share : 0), 0);
}

/** Prices beside results, over all seeds. */
export function calibrationTable(deciles: readonly PriceDecile[]): string {
  const cents = (value: number) => `${(100 * value).toFixed(2)} c`;
  const rows = deciles.map(({ prices, meanPrice, wonShare, z }, i) => [
    `0.${i} to ${((i + 1) / 10).toFixed(1)}`,
    show(prices),
    cents(meanPrice),
    cents(wonShare),
    z.toFixed(2),
  ]);
  return table(['price of YES', 'events', 'mean price', 'won', 'z'], rows);
}
