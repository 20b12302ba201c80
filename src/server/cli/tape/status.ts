import type { Command } from 'commander';
import type { TapeStatus } from '#ports/tape';
import { isoSecond, runTape, type TapeOptions, type TapeReport, withTapeOptions } from './run.js';

/** Adds `tape status`. */
export function addStatusCommand(tape: Command): void {
  withTapeOptions(tape.command('status'))
    .description('show what the tape holds')
    .action((options: TapeOptions) =>
      runTape(options, { makes: false, advice: 'preflightctl tape verify names what is wrong' }, async (module) =>
        toReport(await module.tape.status()),
      ),
    );
}

const MEGABYTE = 1_000_000;

/** Returns what a tape holds, for scripts and for people. */
export function toReport(status: TapeStatus): TapeReport {
  const { fills, segments, markets, marketsResolved, bytes, compactedThroughDay } = status;
  const [first, last] = [isoSecond(status.firstFillS), isoSecond(status.lastFillS)];
  const span = first === null ? 'no fills' : `${fills} fills from ${first} to ${last}`;
  const sorted = compactedThroughDay === null ? 'not compacted yet' : `compacted through ${compactedThroughDay}`;
  return {
    json: {
      fills,
      segments,
      markets,
      markets_resolved: marketsResolved,
      first_fill_at: first,
      last_fill_at: last,
      bytes,
      compacted_through: compactedThroughDay,
    },
    text: [
      `${span} in ${segments} segments, ${(bytes / MEGABYTE).toFixed(1)} MB, ${sorted}`,
      `${markets} markets, ${marketsResolved} of them resolved`,
    ].join('\n'),
  };
}
