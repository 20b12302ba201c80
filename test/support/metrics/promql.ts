import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Labels, Sample } from './exposition.js';

/** What one scrape brought, and when. */
export interface Scrape {
  /** Seconds since the epoch. */
  readonly atS: number;
  readonly samples: readonly Sample[];
}

export interface Element {
  readonly labels: Labels;
  readonly value: number;
}
type Value = number | readonly Element[];

/** A metric that a query selects, as it stands there. */
export interface Selector {
  readonly name: string;
  readonly matches: (sample: Sample) => boolean;
}

/**
 * Returns what a query has at the time of the last scrape: one element for each set of labels. It
 * knows what alerts and dashboard of deploy/ are written in and throws for anything else:
 * selectors, rate, increase, time, histogram_quantile, sum, max, min and count by labels,
 * arithmetic and comparisons. A rate is taken between the first and the last scrape of its range,
 * without the extrapolation of Prometheus.
 */
export function evaluate(query: string, scrapes: readonly Scrape[]): readonly Element[] {
  const value = resultOf(treeOf(query), { query, scrapes });
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

/** Returns all that a query selects. */
export function selectorsOf(query: string): readonly Selector[] {
  const found: Selector[] = [];
  treeOf(query)
    .cursor()
    .iterate(({ name, node }) => {
      if (name === 'VectorSelector') found.push(selectorOf(node, query));
    });
  return found;
}

interface Requested {
  readonly query: string;
  readonly scrapes: readonly Scrape[];
}

function treeOf(query: string): SyntaxNode {
  const tree = parser.parse(query);
  tree.iterate({
    enter: ({ type }) => {
      if (type.isError) throw new Error(`no query: ${query}`);
    },
  });
  return tree.topNode.firstChild!;
}

const textOf = (node: SyntaxNode, query: string) => query.slice(node.from, node.to);
const childrenOf = (node: SyntaxNode) => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
};

function resultOf(node: SyntaxNode, requested: Requested): Value {
  switch (node.name) {
    case 'NumberDurationLiteral':
      return Number(textOf(node, requested.query));
    case 'ParenExpr':
      return resultOf(node.firstChild!, requested);
    case 'VectorSelector':
      return selected(selectorOf(node, requested.query), requested.scrapes.at(-1)!);
    case 'FunctionCall':
      return called(node, requested);
    case 'AggregateExpr':
      return aggregated(node, requested);
    case 'BinaryExpr':
      return combined(node, requested);
    default:
      throw new Error(`${node.name} is not known here: ${textOf(node, requested.query)}`);
  }
}

function selected({ matches }: Selector, { samples }: Scrape): readonly Element[] {
  return samples.filter(matches).map(({ labels, value }) => ({ labels, value }));
}

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const MATCHES: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '=': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '=~': (value, wanted) => whole(wanted).test(value),
  '!~': (value, wanted) => !whole(wanted).test(value),
};

function selectorOf(node: SyntaxNode, query: string): Selector {
  const name = textOf(node.getChild('Identifier')!, query);
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
    const [label, op, text] = childrenOf(matcher).map((part) => textOf(part, query));
    return { label: label!, wanted: JSON.parse(text!) as string, is: MATCHES[op!]! };
  });
  const matches = (sample: Sample) =>
    sample.name === name && matchers.every(({ label, wanted, is }) => is(sample.labels[label] ?? '', wanted));
  return { name, matches };
}

function called(node: SyntaxNode, requested: Requested): Value {
  const name = textOf(node.firstChild!, requested.query);
  const given = childrenOf(node.getChild('FunctionCallBody')!);
  switch (name) {
    case 'time':
      return requested.scrapes.at(-1)!.atS;
    case 'rate':
    case 'increase':
      return grown(name, given[0]!, requested);
    case 'histogram_quantile':
      return quantiles(resultOf(given[0]!, requested) as number, resultOf(given[1]!, requested) as readonly Element[]);
    default:
      throw new Error(`${name}() is not known here`);
  }
}

const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * How much counters grew in a range, also if they began anew in it; a rate is that by the second.
 */
function grown(what: 'rate' | 'increase', node: SyntaxNode, { query, scrapes }: Requested): readonly Element[] {
  const selector = selectorOf(node.getChild('VectorSelector')!, query);
  const [, count, unit] = /^(\d+)([smhd])$/.exec(textOf(node.lastChild!, query).replace(/[[\]]/g, '')) ?? [];
  const fromS = scrapes.at(-1)!.atS - Number(count) * UNITS_S[unit!]!;
  const seen = scrapes.filter(({ atS }) => atS >= fromS);
  if (seen.length < 2) return [];
  const lengthS = what === 'increase' ? 1 : seen.at(-1)!.atS - seen[0]!.atS;
  const course = new Map<string, { labels: Labels; last: number; sum: number }>();
  for (const { labels, value } of selected(selector, seen[0]!)) {
    course.set(keyOf(labels), { labels, last: value, sum: 0 });
  }
  for (const scrape of seen.slice(1)) {
    for (const { labels, value } of selected(selector, scrape)) {
      const existing = course.get(keyOf(labels)) ?? { labels, last: value, sum: 0 };
      const sum = existing.sum + (value >= existing.last ? value - existing.last : value);
      course.set(keyOf(labels), { labels, last: value, sum });
    }
  }
  return [...course.values()].map(({ labels, sum }) => ({ labels, value: sum / lengthS }));
}

const keyOf = (labels: Labels) => JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

function grouped(elements: readonly Element[], by: readonly string[]) {
  const groups = new Map<string, { labels: Labels; values: Element[] }>();
  for (const element of elements) {
    const labels = Object.fromEntries(Object.entries(element.labels).filter(([label]) => by.includes(label)));
    const group = groups.get(keyOf(labels)) ?? { labels, values: [] };
    group.values.push(element);
    groups.set(keyOf(labels), group);
  }
  return [...groups.values()];
}

const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  count: (values) => values.length,
};

function aggregated(node: SyntaxNode, requested: Requested): readonly Element[] {
  const aggregate = AGGREGATES[textOf(node.getChild('AggregateOp')!, requested.query)]!;
  const modifier = node.getChild('AggregateModifier');
  if (modifier !== null && modifier.getChild('By') === null) throw new Error('only "by" is known here');
  const labels = modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
  const by = labels.map((label) => textOf(label, requested.query));
  const elements = resultOf(node.getChild('FunctionCallBody')!.firstChild!, requested) as readonly Element[];
  return grouped(elements, by).map(({ labels: kept, values }) => ({
    labels: kept,
    value: aggregate(values.map(({ value }) => value)),
  }));
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

/**
 * A comparison keeps the elements for which it is so. Of two sides with labels those are paired
 * that have the same.
 */
function combined(node: SyntaxNode, requested: Requested): Value {
  const [left, op, right] = childrenOf(node);
  const [a, b] = [resultOf(left!, requested), resultOf(right!, requested)];
  const sign = textOf(op!, requested.query);
  const compute = ARITHMETIC[sign];
  const compare = COMPARISONS[sign];
  if (compute === undefined && compare === undefined) throw new Error(`${sign} is not known here`);
  const of = (x: number, y: number) => (compute !== undefined ? compute(x, y) : compare!(x, y) ? x : null);
  if (typeof a === 'number' && typeof b === 'number') return of(a, b) ?? [];
  const elements = typeof a === 'number' ? (b as readonly Element[]) : a;
  return elements.flatMap(({ labels, value }) => {
    const other = typeof b === 'number' ? b : b.find((one) => keyOf(one.labels) === keyOf(labels))?.value;
    const result = typeof a === 'number' ? of(a, value) : other === undefined ? null : of(value, other);
    return result === null ? [] : [{ labels, value: result }];
  });
}

/** As Prometheus does: linear within a bucket, and the bound of the last one but one beyond it. */
function quantiles(share: number, buckets: readonly Element[]): readonly Element[] {
  const others = [...new Set(buckets.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== 'le');
  return grouped(buckets, others).map(({ labels, values }) => {
    const bounds = values
      .map(({ labels: { le }, value }) => ({ le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value }))
      .sort((a, b) => a.le - b.le);
    const rank = share * bounds.at(-1)!.value;
    const at = bounds.findIndex(({ value }) => value >= rank);
    const { le, value } = bounds[at] ?? { le: Number.NaN, value: 0 };
    const before = bounds[at - 1] ?? { le: 0, value: 0 };
    if (bounds.at(-1)!.value === 0) return { labels, value: Number.NaN };
    if (le === Number.POSITIVE_INFINITY) return { labels, value: before.le };
    return { labels, value: before.le + ((le - before.le) * (rank - before.value)) / (value - before.value) };
  });
}
