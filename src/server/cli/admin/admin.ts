import type { Command } from 'commander';
import { groupOf } from '../group-of.js';
import { addBackupCommands } from './backup.js';
import { addCheckCommand } from './check.js';
import { addCreditsCommands } from './credits.js';
import { addEvidenceCommands } from './evidence.js';
import { addPaymentsCommands } from './payments.js';
import { addPromoCommands } from './promo.js';
import { addRevenueCommand } from './revenue.js';
import { addStoreKeyCommands } from './store-key.js';
import { addTokensCommands } from './tokens.js';
import { addWalletCommands } from './wallet.js';

/**
 * Adds `preflightctl admin …`: what an operator does to promo codes, credits, tokens and keys, also
 * while the service runs.
 */
export function addAdminCommands(program: Command): void {
  const admin = groupOf(program, 'admin');
  addPromoCommands(admin);
  addCreditsCommands(admin);
  addTokensCommands(admin);
  addWalletCommands(admin);
  addPaymentsCommands(admin);
  addRevenueCommand(admin);
  addStoreKeyCommands(admin);
  addEvidenceCommands(admin);
  addBackupCommands(admin);
  // The same as `store check`: who looks up money looks for it here.
  addCheckCommand(admin);
}
