export type Labels = Readonly<Record<string, string>>;

/** One line of a scrape. */
export interface Sample {
  /** With the suffix of a histogram, if it has one. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with all of its lines. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/**
 * Returns the metrics of a scrape in the text form of Prometheus (0.0.4). Throws for a line that is
 * none of it.
 */
export function readExposition(text: string): readonly Family[] {
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>();
  const familyOf = (name: string) => {
    const base = name.replace(/_(bucket|sum|count)$/, '');
    const existing = families.get(name) ?? (families.get(base)?.type === 'histogram' ? families.get(base) : undefined);
    if (existing !== undefined) return existing;
    const family = { name, type: '', help: '', samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'HELP') familyOf(name).help = rest;
    else if (kind === 'TYPE') familyOf(name).type = rest;
    else {
      const sample = readSample(line);
      familyOf(sample.name).samples.push(sample);
    }
  }
  return [...families.values()];
}

function readSample(line: string): Sample {
  const [, name, inner = '', value] = LINE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`no line of a scrape: ${line}`);
  if (inner.replaceAll(LABEL, '') !== '') throw new Error(`no labels of a scrape: ${line}`);
  const labels = Object.fromEntries([...inner.matchAll(LABEL)].map(([, label, text]) => [label!, text!]));
  return { name, labels, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) };
}

/** The labels by which the lines of a metric differ; `le` is part of a histogram. */
export function labelsOf({ samples }: Family): readonly string[] {
  return [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== 'le').sort();
}
