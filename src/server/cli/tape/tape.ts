import type { Command } from 'commander';
import { groupOf } from '../group-of.js';
import { addBackfillCommand } from './backfill.js';
import { addImportCommand } from './import.js';
import { addStatusCommand } from './status.js';
import { addVerifyCommand } from './verify.js';

/**
 * Adds `preflightctl tape …`: what an operator does with the trade tape of a data directory, also
 * while the service runs.
 */
export function addTapeCommands(program: Command): void {
  const tape = groupOf(program, 'tape');
  addBackfillCommand(tape);
  addImportCommand(tape);
  addStatusCommand(tape);
  addVerifyCommand(tape);
}
