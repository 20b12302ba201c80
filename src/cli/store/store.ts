import type { Command } from 'commander';
import { addCheckCommand } from '../admin/check.js';
import { addCopyCommand } from './copy.js';
import { addMigrateCommand } from './migrate.js';

/** Adds to `preflight store` what an operator does to a store as a whole. */
export function addStoreCommands(store: Command): void {
  addCheckCommand(store);
  addMigrateCommand(store);
  addCopyCommand(store);
}
