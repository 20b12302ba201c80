import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../source-tree.js';

/** A rule of deploy/alerts.yaml. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly look: string; readonly runbook: string };
}

export function alertRules(): readonly AlertRule[] {
  const { groups } = parse(readFileSync(join(ROOT, 'deploy/alerts.yaml'), 'utf8'));
  return (groups as { rules: AlertRule[] }[]).flatMap(({ rules }) => rules);
}

/** A panel of deploy/dashboard.json, and what it asks. */
export interface Panel {
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** Returns the panels that ask something. `$__rate_interval` becomes five minutes. */
export function dashboardPanels(): readonly (Panel & { readonly queries: readonly string[] })[] {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/dashboard.json'), 'utf8')) as { panels: Panel[] };
  return panels
    .filter(({ type }) => type !== 'row')
    .map((panel) => ({
      ...panel,
      queries: (panel.targets ?? []).map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
    }));
}
