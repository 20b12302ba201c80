import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '#test/support/source-tree';

const run = promisify(execFile);

/**
 * The last one that runs on Node 20. It is too long for a dependency: what is fetched lies with
 * what npm installed.
 */
const VERSION = '12.8.2';
const FOLDER = join(ROOT, `node_modules/.cache/lighthouse-${VERSION}`);
const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js');
const INSTALL_MS_MAX = 300_000;
const REPORT_BYTES_MAX = 50_000_000;

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

/** What Lighthouse says of a page: scores out of 100, and what it deducted for. */
export interface LighthouseReport {
  readonly scores: Readonly<Record<(typeof CATEGORIES)[number], number>>;
  readonly faults: readonly string[];
}

/** Fetches Lighthouse unless it is there. Returns why it cannot be had; null: it can. */
export async function installLighthouse(): Promise<string | null> {
  if (existsSync(PROGRAM)) return null;
  const args = ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', '--ignore-scripts', `lighthouse@${VERSION}`];
  try {
    await run('npm', args, { timeout: INSTALL_MS_MAX });
    return existsSync(PROGRAM) ? null : `npm installed lighthouse ${VERSION} without its program`;
  } catch (error) {
    return `lighthouse ${VERSION} cannot be installed: ${String(error).slice(0, 300)}`;
  }
}

/** Has Lighthouse load a page in a browser of its own, as it does for a desktop. */
export async function askLighthouse(
  url: string,
  chromium: string,
  flags: readonly string[],
): Promise<LighthouseReport> {
  const only = `--only-categories=${CATEGORIES.join(',')}`;
  const args = [
    PROGRAM,
    url,
    '--quiet',
    '--output=json',
    '--preset=desktop',
    only,
    `--chrome-flags=${flags.join(' ')}`,
  ];
  const env = { ...process.env, CHROME_PATH: chromium };
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: REPORT_BYTES_MAX });
  const { categories, audits } = JSON.parse(stdout) as Reported;
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]));
  const faults = Object.values(audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, title, displayValue = '' }) => `${id}: ${title} ${displayValue}`.trim());
  return { scores: scores as LighthouseReport['scores'], faults };
}

interface Reported {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, Audit>>;
}

interface Audit {
  readonly id: string;
  readonly title: string;
  readonly score: number | null;
  readonly displayValue?: string;
}
