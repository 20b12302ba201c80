import { cpus, loadavg, totalmem } from 'node:os';
import { runPart } from './part-process.js';
import { BY_NAME_ONLY, PARTS } from './parts.js';
import { SEED } from './support/book-walk.js';
import { type Goal, goalTable } from './support/report.js';
import { progress } from './support/rounds.js';

/**
 * Runs the benchmarks that are named on the command line, or all usual ones, and prints a report in
 * Markdown.
 */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    process.stderr.write(`no such benchmark: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}\n`);
    process.exit(2);
  }
  process.stdout.write(`${preamble()}\n\n`);
  const goals: Goal[] = [];
  const usual = Object.keys(PARTS).filter((name) => !BY_NAME_ONLY.includes(name));
  for (const name of names.length === 0 ? usual : names) {
    const startedMs = performance.now();
    const { title, texts, goals: own } = await runPart(name);
    process.stdout.write(`## ${title}\n\n${texts.join('\n\n')}\n\n`);
    goals.push(...own);
    progress(`${name}: ${Math.round((performance.now() - startedMs) / 1e3)} s`);
  }
  if (goals.length > 0) process.stdout.write(`## Goals\n\n${goalTable(goals)}\n`);
}

/** Absolute figures belong to a machine; the ratios of one run are what can be compared. */
function preamble(): string {
  const [load] = loadavg();
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `# Preflight benchmark\n\nNode ${process.version}, ${machine}, load ${load?.toFixed(1)} at start, seed ${SEED}. Medians of interleaved rounds.`;
}

await main(process.argv.slice(2));
