import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from '../exit.js';
import { startProgress } from './progress.js';
import { runTape, type TapeOptions, withTapeOptions } from './run.js';
import { toReport } from './status.js';

type ImportOptions = TapeOptions & { readonly fills: string; readonly markets: string };

/** Adds `tape import`. */
export function addImportCommand(tape: Command): void {
  withTapeOptions(tape.command('import'))
    .description('add the fills and markets of an exported tape (.csv or .csv.gz); the same file again replaces itself')
    .requiredOption('--fills <file>', 'fills, one per row')
    .requiredOption('--markets <file>', 'markets with scheduled end, resolution and payouts')
    .action((options: ImportOptions) => importTape(options));
}

async function importTape(options: ImportOptions): Promise<void> {
  const { fills, markets } = options;
  for (const file of [fills, markets]) {
    if (!existsSync(file)) throw new UsageError(`there is no file ${file}; give --fills FILE and --markets FILE`);
  }
  await runTape(options, { makes: true, advice: 'nothing of that file was added' }, async ({ tape, clock }) => {
    const shown = startProgress(clock);
    try {
      await tape.importCsv({ fills, markets }, (step, done, all) => shown.update(step, done, all));
    } finally {
      shown.stop();
    }
    const report = toReport(await tape.status());
    return { json: report.json, text: `imported; the tape holds\n${report.text}` };
  });
}
