import type { Command } from 'commander';
import { withProgress } from './progress.js';
import { runTape, type TapeOptions, withTapeOptions } from './run.js';

/** Adds `tape verify`. */
export function addVerifyCommand(tape: Command): void {
  withTapeOptions(tape.command('verify'))
    .description('read everything and name the files that are broken; exit code 1 if there are any')
    .action((options: TapeOptions) => verify(options));
}

function verify(options: TapeOptions): Promise<void> {
  return runTape(options, { makes: false, advice: 'try again' }, async ({ tape, clock }) => {
    const faults = await withProgress(clock, (shown) =>
      tape.verify((step, done, all) => shown.update(step, done, all)),
    );
    const lines = faults.map(({ file, fault }) => `${file}: ${fault}`);
    const advice = 'Remove these files and run preflightctl tape backfill for their days, or import the tape again.';
    return {
      ok: faults.length === 0,
      json: { faults },
      text: faults.length === 0 ? 'the tape is whole' : [...lines, advice].join('\n'),
    };
  });
}
