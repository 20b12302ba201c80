import type { Command } from 'commander';
import { renewStoreKey } from '#compose/credits';
import { type AdminOptions, locationOf, printReport, withAdminOptions } from './run.js';

/** Adds `store-key renew`. */
export function addStoreKeyCommands(admin: Command): void {
  const key = admin.command('store-key').description('the secret key beside the store');
  withAdminOptions(key.command('renew'))
    .description('make a new key when the one of the store is lost; stop the service first')
    .action((options: AdminOptions) => renew(options));
}

async function renew(options: AdminOptions): Promise<void> {
  const { path, id, setAside } = await renewStoreKey(locationOf(options));
  const before = setAside === null ? '' : `; the one that was there is ${setAside}`;
  const json = { path, id, set_aside: setAside };
  printReport(options, { json, text: `${path}: new key ${id}${before}` });
}
