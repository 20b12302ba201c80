import { show, table } from '../../support/report.js';
import { poissonInterval } from '../poisson.js';
import type { FigureName, RuleWorlds } from './paired-tally.js';

/** Each rule alone. */
export function figureTable(rules: readonly RuleWorlds[]): string {
  const head = ['rule', 'false COPY', 'per 10,000', '95 % (Poisson)', 'skilled found', 'COPY per 100,000'];
  const rows = rules.map((rule) => [
    rule.rule.name,
    `${rule.falseCopies}`,
    rule.figure('falseCopies').toFixed(2),
    poissonInterval(rule.falseCopies)
      .map((count) => ((1e4 * count) / rule.covered).toFixed(2))
      .join('..'),
    `${rule.figure('found').toFixed(2)} %`,
    show(rule.figure('copiesPer100k')),
    `${rule.figure('trulyGoodPct').toFixed(1)} %`,
    `${rule.figure('decayedPct').toFixed(1)} %`,
    `${rule.figure('forwardRoiPct').toFixed(1)} %`,
  ]);
  return table([...head, 'truly good', 'decayed', 'forward expected ROI'], rows);
}

/** Each rule minus the first one, with the interval that the worlds give. */
export function pairedTable([first, ...others]: readonly RuleWorlds[]): string {
  const names: readonly FigureName[] = ['falseCopies', 'found', 'copiesPer100k', 'trulyGoodPct'];
  const rows = others.map((rule) => [
    rule.rule.name,
    ...names.map((name) => {
      const { value, low, high } = rule.minus(first!, name);
      return `${value.toFixed(2)} (${low.toFixed(2)}..${high.toFixed(2)})`;
    }),
  ]);
  return table(
    [`minus ${first!.rule.name}`, 'false per 10,000', 'found, %', 'COPY per 100,000', 'truly good, %'],
    rows,
  );
}
