import type { Command } from 'commander';
import { renewStoreKey } from '#compose/renew-store-key';
import { type AdminOptions, locationOf, printReport, withAdminOptions } from './run.js';

type RenewOptions = AdminOptions & { readonly lost?: true };

/** Adds `store-key renew`. */
export function addStoreKeyCommands(admin: Command): void {
  const key = admin.command('store-key').description('the secret key beside the store');
  withAdminOptions(key.command('renew'))
    .description('make a new key in place of one that leaked; stop the service first')
    .option('--lost', 'also where the key of the store is not there')
    .action((options: RenewOptions) => renew(options));
}

async function renew(options: RenewOptions): Promise<void> {
  const { path, id, setAside } = await renewStoreKey(locationOf(options), options.lost === true);
  const before = setAside === null ? '' : `; the one that was there is ${setAside}`;
  const json = { path, id, set_aside: setAside };
  printReport(options, { json, text: `${path}: new key ${id}${before}` });
}
