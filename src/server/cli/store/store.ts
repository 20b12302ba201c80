import type { Command } from 'commander';
import { addCheckCommand } from '../admin/check.js';
import { groupOf } from '../group-of.js';
import { addCopyCommand } from './copy.js';
import { addInitCommand } from './init.js';
import { addMigrateCommand } from './migrate.js';

/** Adds `preflightctl store …`: what an operator does to a store as a whole. */
export function addStoreCommands(program: Command): void {
  const store = groupOf(program, 'store');
  addCheckCommand(store);
  addInitCommand(store);
  addMigrateCommand(store);
  addCopyCommand(store);
}
