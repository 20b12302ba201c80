import { dashboardPanels } from './alerts.js';
import { evaluate, type Scrape, selectorsOf } from './promql.js';

/**
 * Returns what queries select that is not in a scrape, but for metrics that this machine cannot
 * have.
 */
export function unknownSelectors(queries: readonly string[], { samples }: Scrape, notHere: readonly string[]) {
  const unknown = queries.flatMap((query) =>
    selectorsOf(query)
      .filter(({ name, matches }) => !notHere.includes(name) && !samples.some(matches))
      .map(({ name }) => `${name} in ${query}`),
  );
  return [...new Set(unknown)];
}

/** Returns the panels of the dashboard of which no query has a number. */
export function emptyPanels(scrapes: readonly Scrape[]): readonly string[] {
  const isFilled = (query: string) => evaluate(query, scrapes).some(({ value }) => !Number.isNaN(value));
  return dashboardPanels()
    .filter(({ queries }) => !queries.some(isFilled))
    .map(({ title }) => title);
}
