#!/usr/bin/env node
import { Command } from 'commander';
import { addAdminCommands } from './admin/admin.js';
import { exitCodeOf } from './exit.js';

const program = new Command('preflight')
  .description('Pre-flight verdicts for prediction-market orders')
  .showHelpAfterError('Add --help to see what can be given.')
  .exitOverride();
addAdminCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
