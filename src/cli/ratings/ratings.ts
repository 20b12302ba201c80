import type { Command } from 'commander';
import { addBacktestCommand } from './backtest.js';
import { addExportCommand } from './export.js';
import { addRunCommand } from './run.js';
import { addShowCommand } from './show.js';

/** Adds to `preflight ratings` what an operator does with the wallet ratings of a data directory, also while the service runs. */
export function addRatingsCommands(ratings: Command): void {
  addRunCommand(ratings);
  addExportCommand(ratings);
  addShowCommand(ratings);
  addBacktestCommand(ratings);
}
