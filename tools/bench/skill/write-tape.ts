import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { show } from '../support/report.js';
import { writeTape } from './tape-csv.js';
import { makeWorld } from './world.js';

/**
 * Writes a generated tape export, fills.csv.gz and markets.csv.gz, for whoever wants to import one:
 *
 *     node dist/tools/bench/skill/write-tape.js --wallets 1000 --seed 7 FOLDER
 */
const { values, positionals } = parseArgs({
  options: { wallets: { type: 'string', default: '1000' }, seed: { type: 'string', default: '7' } },
  allowPositionals: true,
});
const [folder] = positionals;
const [wallets, seed] = [Number(values.wallets), Number(values.seed)];
if (folder === undefined || !Number.isInteger(wallets) || !Number.isInteger(seed)) {
  process.stderr.write('usage: node dist/tools/bench/skill/write-tape.js [--wallets N] [--seed N] FOLDER\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const files = { fills: join(folder, 'fills.csv.gz'), markets: join(folder, 'markets.csv.gz') };
const world = makeWorld(seed);
await writeTape(world, seed, wallets, files);
process.stdout.write(
  `${files.fills}: ${show(wallets)} wallets\n${files.markets}: ${show(world.marketCount)} markets\n`,
);
