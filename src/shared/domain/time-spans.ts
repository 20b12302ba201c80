/** Whole seconds (or blocks) from one to another, both inclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the spans as few as they can be, newest first: what touches or overlaps is one. Empty
 * ones are left out.
 */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.filter(({ from, to }) => from <= to).toSorted((a, b) => b.to - a.to)) {
    const last = merged.at(-1);
    if (last === undefined || span.to < last.from - 1) merged.push(span);
    else merged[merged.length - 1] = { from: Math.min(last.from, span.from), to: last.to };
  }
  return merged;
}

/** Returns what of `wanted` no span of `held` holds, newest first. */
export function missingSpans(wanted: Span, held: readonly Span[]): readonly Span[] {
  const missing: Span[] = [];
  let to = wanted.to;
  for (const span of mergeSpans(held)) {
    if (span.to < wanted.from || to < wanted.from) break;
    if (span.from > to) continue;
    if (span.to < to) missing.push({ from: span.to + 1, to });
    to = span.from - 1;
  }
  if (to >= wanted.from) missing.push({ from: wanted.from, to });
  return missing;
}
