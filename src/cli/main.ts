#!/usr/bin/env node
import { Command } from 'commander';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { keepFilesPrivate } from '#compose/private-files';
import { addAdminCommands } from './admin/admin.js';
import { exitCodeOf } from './exit.js';
import { addRatingsCommands } from './ratings/ratings.js';
import { addStoreCommands } from './store/store.js';
import { addTapeCommands } from './tape/tape.js';

keepFilesPrivate();
const program = new Command('preflight')
  .version(PRODUCT_VERSION, '--version', 'print the version')
  .description('Pre-flight verdicts for prediction-market orders')
  .showHelpAfterError('Add --help to see the options.')
  .exitOverride();
addAdminCommands(program);
addTapeCommands(program);
addRatingsCommands(program);
addStoreCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
