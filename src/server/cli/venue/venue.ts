import type { Command } from 'commander';
import { groupOf } from '../group-of.js';
import { addCheckCommand } from './check.js';

/** Adds `preflightctl venue …`: what an operator asks the venue itself. */
export function addVenueCommands(program: Command): void {
  addCheckCommand(groupOf(program, 'venue'));
}
