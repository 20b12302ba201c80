import { type Family, readExposition } from './exposition.js';

/**
 * Units that a name must not have, for there is a base unit (prometheus.io, "Metric and label
 * naming").
 */
const NO_BASE_UNIT =
  /(?:^|_)(?:ms|millis|milliseconds|us|micros|microseconds|minutes|hours|days|kb|mb|gb|kilobytes|megabytes|percent|pct)(?:_|$)/;
/** Units that a name ends in, before `_total`, and the word that the HELP has then. */
const UNITS: Readonly<Record<string, RegExp>> = { seconds: /seconds/i, bytes: /bytes/i, usdc: /USDC/ };

/**
 * Returns what is against the conventions in a scrape; HELP is held to a unit in metrics of this
 * prefix alone.
 */
export function lintExposition(text: string, ownPrefix: string): readonly string[] {
  const families = readExposition(text);
  const names = families.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name}: is there twice`);
  return [...twice, ...families.flatMap((family) => lintFamily(family, family.name.startsWith(ownPrefix)))];
}

function lintFamily({ name, type, help, samples }: Family, isOurs: boolean): readonly string[] {
  const unit = /_([a-z]+)(?:_total)?$/.exec(name)?.[1] ?? '';
  const series = samples.map(({ name: line, labels }) => JSON.stringify([line, Object.entries(labels).sort()]));
  const labels = samples.flatMap((sample) => Object.keys(sample.labels));
  const faults: readonly (readonly [boolean, string])[] = [
    [help === '', 'has no HELP'],
    [!['counter', 'gauge', 'histogram', 'summary'].includes(type), `has the type "${type}"`],
    [type === 'counter' && !name.endsWith('_total'), 'is a counter and does not end in _total'],
    [type !== 'counter' && name.endsWith('_total'), 'ends in _total and is no counter'],
    [type !== 'histogram' && /_(bucket|count|sum)$/.test(name), 'ends as a part of a histogram does'],
    [isOurs && !/^[a-z][a-z0-9_]*$/.test(name), 'is not in snake case'],
    [isOurs && /_(p\d\d|quantile|median|mean|avg)(_|$)/.test(name), 'is a ready-made percentile or mean'],
    [isOurs && NO_BASE_UNIT.test(name), 'is not in a base unit'],
    [isOurs && unit in UNITS && !UNITS[unit]!.test(help), 'does not say its unit in its HELP'],
    [isOurs && labels.some((label) => !/^[a-z][a-z0-9_]*$/.test(label)), 'has a label that is not in snake case'],
    [samples.some(({ value }) => Number.isNaN(value)), 'is no number'],
    [new Set(series).size !== series.length, 'has two lines for the same labels'],
    [type === 'histogram' && !isWhole(samples), 'is a histogram whose buckets do not add up'],
  ];
  return faults.filter(([is]) => is).map(([, what]) => `${name}: ${what}`);
}

/**
 * Whether each set of labels has buckets that do not fall, the last of them for all, with as many
 * as are counted.
 */
function isWhole(samples: Family['samples']): boolean {
  const groups = new Map<string, { readonly le: number; readonly value: number }[]>();
  const counts = new Map<string, number>();
  for (const { name, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    if (name.endsWith('_count')) counts.set(key, value);
    if (!name.endsWith('_bucket')) continue;
    groups.set(key, [...(groups.get(key) ?? []), { le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value }]);
  }
  return [...groups].every(([key, buckets]) => {
    const last = buckets.at(-1)!;
    const rises = buckets.every(
      ({ le, value }, at) => at === 0 || (le > buckets[at - 1]!.le && value >= buckets[at - 1]!.value),
    );
    return rises && last.le === Number.POSITIVE_INFINITY && last.value === counts.get(key);
  });
}
