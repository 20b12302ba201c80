#!/usr/bin/env node
import { Command } from 'commander';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import { keepFilesPrivate } from '#compose/private-files';
import { exitCodeOf } from './exit.js';
import { addGroups } from './groups.js';

keepFilesPrivate();
const program = new Command('preflight')
  .version(PRODUCT_VERSION, '--version', 'print the version')
  .description('Pre-flight verdicts for prediction-market orders')
  .showHelpAfterError('Add --help to see the options.')
  .exitOverride();
await addGroups(program, process.argv.slice(2));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
