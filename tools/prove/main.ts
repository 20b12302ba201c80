import { Command } from 'commander';
import { PARTS, type Part, SHORT } from './parts.js';
import { Proof } from './proof.js';
import { readResults } from './support/results.js';
import { PROVE_CELLS } from './support/select-cells.js';

interface Options {
  readonly resume?: true;
  readonly list?: true;
  readonly cells?: string;
}

/** Stands for the parts of the short list. */
const SHORT_NAME = 'short';

/** `npm run prove -- [part…] [--resume] [--list]`. */
async function main(): Promise<void> {
  const command = new Command('npm run prove --')
    .description('Run the properties, kills and the payment matrix at full size: an hour, or parts of it by name.')
    .argument('[part...]', `some of: ${PARTS.map(({ name }) => name).join(', ')}; or ${SHORT_NAME}, under 40 minutes`)
    .option('--resume', 'leave out what passed in the last run, and cells of the matrix that were played')
    .option(
      '--cells <which>',
      'of replicas and processes: so many cells, a range of them (501-1000), or those whose names have all of these words, by commas',
    )
    .option('--list', 'show the parts and how they ended last')
    .parse();
  const { resume, list, cells } = command.opts<Options>();
  const names = command.args.flatMap((name) => (name === SHORT_NAME ? SHORT.map((part) => part.name) : [name]));
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length > 0) command.error(`there is no part ${unknown.join(', ')}; --list shows them`, { exitCode: 2 });
  if (list) return void console.log(listText());
  if (cells !== undefined) process.env[PROVE_CELLS] = cells;
  const parts = PARTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const proof = new Proof(parts, resume === true);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => proof.interrupt());
  process.exitCode = await proof.run();
}

function listText(): string {
  const results = readResults();
  const width = Math.max(...PARTS.map(({ name }) => name.length));
  return PARTS.map(({ name, what }: Part) => {
    const { ending = 'not run yet', seconds } = results[name] ?? {};
    return `${name.padEnd(width)}  ${what} (${ending}${seconds === undefined ? '' : `, ${seconds} s`})`;
  }).join('\n');
}

await main();
