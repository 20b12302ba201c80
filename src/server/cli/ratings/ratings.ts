import type { Command } from 'commander';
import { groupOf } from '../group-of.js';
import { addBacktestCommand } from './backtest.js';
import { addExportCommand } from './export.js';
import { addRunCommand } from './run.js';
import { addShowCommand } from './show.js';

/**
 * Adds `preflightctl ratings …`: what an operator does with the wallet ratings of a data directory,
 * also while the service runs.
 */
export function addRatingsCommands(program: Command): void {
  const ratings = groupOf(program, 'ratings');
  addRunCommand(ratings);
  addExportCommand(ratings);
  addShowCommand(ratings);
  addBacktestCommand(ratings);
}
