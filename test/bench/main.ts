import { cpus, loadavg, totalmem } from 'node:os';
import { benchAttribution } from './attribution.js';
import { benchDebits } from './debits.js';
import { benchDisk } from './disk.js';
import { benchEvidence } from './evidence.js';
import { benchFrames } from './frames.js';
import { benchHttp } from './http.js';
import { benchLoad } from './load.js';
import { benchMemory } from './memory.js';
import { benchNight } from './night/night.js';
import { benchNodes } from './nodes/nodes.js';
import { benchPayments } from './payments/payments.js';
import { benchRatings } from './ratings.js';
import { benchRatingsEngine } from './ratings-engine.js';
import { SEED } from './support/book-walk.js';
import { type Goal, goalTable, type Section } from './support/report.js';
import { progress } from './support/rounds.js';
import { benchVerdict } from './verdict.js';
import { benchWalletAnswers } from './wallet-answers.js';

const BENCHES: Readonly<Record<string, () => Promise<Section>>> = {
  attribution: benchAttribution,
  frames: benchFrames,
  http: benchHttp,
  load: benchLoad,
  debits: benchDebits,
  disk: benchDisk,
  evidence: benchEvidence,
  memory: benchMemory,
  night: benchNight,
  nodes: benchNodes,
  payments: benchPayments,
  'ratings-engine': benchRatingsEngine,
  ratings: benchRatings,
  verdict: benchVerdict,
  'wallet-answers': benchWalletAnswers,
};

/** They take minutes, so they run only where they are named. */
const BY_NAME_ONLY = ['night', 'nodes', 'ratings', 'ratings-engine', 'wallet-answers'];

/** Runs the benchmarks that are named on the command line, or all usual ones, and prints a report in Markdown. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) {
    process.stderr.write(`no such benchmark: ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`);
    process.exit(2);
  }
  process.stdout.write(`${preamble()}\n\n`);
  const goals: Goal[] = [];
  const usual = Object.keys(BENCHES).filter((name) => !BY_NAME_ONLY.includes(name));
  for (const name of names.length === 0 ? usual : names) {
    const startedMs = performance.now();
    const { title, texts, goals: own } = await BENCHES[name]!();
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

// Ends by way of `exit`, so that what is on the disk is removed; children end with this process.
process.once('SIGINT', () => process.exit(130));
await main(process.argv.slice(2));
