import type { Command } from 'commander';
import { addBackfillCommand } from './backfill.js';
import { addImportCommand } from './import.js';
import { addStatusCommand } from './status.js';
import { addVerifyCommand } from './verify.js';

/** Adds to `preflight tape` what an operator does with the trade tape of a data directory, also while the service runs. */
export function addTapeCommands(tape: Command): void {
  addBackfillCommand(tape);
  addImportCommand(tape);
  addStatusCommand(tape);
  addVerifyCommand(tape);
}
