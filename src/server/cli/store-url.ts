import { type Command, Option } from 'commander';
import { isDatabaseUrl } from '#domain/database-url';
import { UsageError } from './exit.js';

const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** What a command on a shared store takes. */
export interface StoreUrlOption {
  readonly storeUrl?: string;
}

/**
 * Adds `--store-url`. Other users of the machine see the command line: a password is better left to
 * STORE_URL.
 */
export function withStoreUrl(command: Command): Command {
  const option = new Option('--store-url <url>', `the PostgreSQL that replicas share: ${FORM}`).env('STORE_URL');
  return command.addOption(option);
}

/**
 * Returns the URL. It is checked here and not by the option, whose fault would print it with its
 * password.
 */
export function requireStoreUrl({ storeUrl }: StoreUrlOption): string {
  if (storeUrl !== undefined && storeUrl !== '' && isDatabaseUrl(storeUrl)) return storeUrl;
  const what = storeUrl === undefined || storeUrl === '' ? 'there is no STORE_URL' : 'STORE_URL is not one';
  throw new UsageError(`${what}: set it, or give --store-url, in the form ${FORM}`);
}
