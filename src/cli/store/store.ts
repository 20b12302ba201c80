import type { Command } from 'commander';
import { addCheckCommand } from '../admin/check.js';
import { addCopyCommand } from './copy.js';
import { addMigrateCommand } from './migrate.js';

/** Adds `preflight store …`: what an operator does to a store as a whole. */
export function addStoreCommands(program: Command): void {
  const store = program.command('store').description('the store of credits and payments, as a whole');
  addCheckCommand(store);
  addMigrateCommand(store);
  addCopyCommand(store);
}
