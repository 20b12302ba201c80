import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type CreditsModule,
  creditsPath,
  hasCredits,
  openStore,
  type StoreLocation,
  type StoreUse,
} from '#compose/credits';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { UsageError } from '../exit.js';
import { requireStoreUrl, type StoreUrlOption, withStoreUrl } from '../store-url.js';

/** What every operator command takes. */
export interface AdminOptions extends StoreUrlOption {
  readonly dataDir: string;
  readonly keysDir?: string;
  readonly json?: true;
}

/** What a command reports: one JSON object for scripts, short lines for people. */
export interface Report {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Whether what was asked for was done; absent: it was. */
  readonly isDone?: boolean;
}

/** Adds the options that every operator command takes. */
export function withAdminOptions(command: Command): Command {
  command
    .addOption(new Option('--data-dir <dir>', 'directory of the store').env('DATA_DIR').default('./data'))
    .addOption(new Option('--keys-dir <dir>', 'directory of its keys (default: that of the store)').env('KEYS_DIR'));
  return withStoreUrl(command).option('--json', 'print one JSON object');
}

/** Where keys are that belong to no database. */
export function keysDirOf({ dataDir, keysDir = '' }: AdminOptions): string {
  return keysDir === '' ? dataDir : keysDir;
}

/**
 * Which store is meant: that of STORE_URL, if there is one, as for the service. Throws a UsageError
 * where it is no URL.
 */
export function locationOf(options: AdminOptions): StoreLocation {
  const { dataDir, storeUrl = '' } = options;
  return { dataDir, keysDir: keysDirOf(options), storeUrl: storeUrl === '' ? null : requireStoreUrl(options) };
}

/**
 * Runs a command that only reads. Throws where there is no store: a data directory that is
 * mistyped must not look like an empty one.
 */
export function readAdmin(options: AdminOptions, look: (module: CreditsModule) => Promise<Report>): Promise<void> {
  return onStoreThere(options, 'look', look);
}

/** The same for a command that changes what is there. */
export function changeAdmin(options: AdminOptions, change: (module: CreditsModule) => Promise<Report>): Promise<void> {
  return onStoreThere(options, 'change', change);
}

async function onStoreThere(
  options: AdminOptions,
  use: StoreUse,
  work: (module: CreditsModule) => Promise<Report>,
): Promise<void> {
  const location = locationOf(options);
  if (location.storeUrl === null && !hasCredits(location.dataDir)) {
    throw new UsageError(
      `there is no store at ${creditsPath(location.dataDir)}: give the directory of the service with --data-dir`,
    );
  }
  await runOn(options, await openStore(location, use), work);
}

/**
 * Opens the store, runs the command on it and prints what it reports; the store is closed whatever
 * happens.
 */
export async function runAdmin(options: AdminOptions, work: (module: CreditsModule) => Promise<Report>): Promise<void> {
  const location = locationOf(options);
  if (location.storeUrl === null && !hasCredits(location.dataDir)) {
    process.stderr.write(`note: creating a new store at ${creditsPath(location.dataDir)}\n`);
  }
  await runOn(options, await openStore(location), work);
}

async function runOn(
  options: AdminOptions,
  module: CreditsModule,
  work: (module: CreditsModule) => Promise<Report>,
): Promise<void> {
  try {
    printReport(options, await work(module));
  } finally {
    await module.store.close();
  }
}

/** Prints what a command reports. What was not done ends with 1, so that a script notices. */
export function printReport({ json: isJson }: Pick<AdminOptions, 'json'>, { json, text, isDone = true }: Report): void {
  if (!isDone) process.exitCode = 1;
  process.stdout.write(isJson ? `${JSON.stringify({ ok: true, ...json })}\n` : `${text}\n`);
}

/** Reads an option's whole number; the service checks its bounds. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number, for example 500.');
  return Number(text);
}

/** Reads an option's wallet. */
export function wallet(text: string): WalletAddress {
  const parsed = parseWallet(text);
  if (parsed === null) throw new InvalidArgumentError('Give an EVM address: 0x and 40 hexadecimal digits.');
  return parsed;
}

/** Returns a moment as ISO 8601 in UTC. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
