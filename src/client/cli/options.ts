import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseScaled } from '#domain/decimal';
import type { WalletAddress } from '#domain/ids';
import { NUMBER_FORM, readNumber } from '#domain/inputs/number-text';
import { readWallet } from '#domain/inputs/wallet-text';
import { DAY_S } from '#domain/time';
import type { CallOptions } from '../answers.js';
import { toBaseUrl } from '../http/base-url.js';
import { DEADLINE_MS, VERDICT_DEADLINE_MS } from '../http/deadline.js';
import type { Limits } from '../terms/limits.js';
import { UsageError } from './usage-error.js';
import { type CliWorld, ENV } from './world/world.js';

/** What every command takes that asks the service. */
export interface ServiceOptions {
  readonly url?: string;
  readonly deadline: number;
  readonly json?: true;
}

/** What every command takes that may pay. */
export interface PayingOptions extends ServiceOptions, LimitOptions {
  readonly keyFile?: string;
  readonly tokenFile?: string;
  readonly sandbox?: true;
  readonly fresh?: true;
}

/** Limits that are named on the command line: the one place, beside code, that can widen them. */
export interface LimitOptions {
  readonly maxPerCall?: bigint;
  readonly maxPerDay?: bigint;
  readonly maxPacksPerDay?: number;
  readonly maxAuthorization?: number;
  readonly payee?: WalletAddress;
}

const DEADLINE_S = DEADLINE_MS / 1e3;
const VERDICT_DEADLINE_S = VERDICT_DEADLINE_MS / 1e3;

/** Adds `--json` and `--quiet`. */
export function withJson(command: Command): Command {
  return command
    .option('--json', 'print the answer and nothing else')
    .addOption(new Option('--quiet', 'print nothing but errors: the exit code is the answer').conflicts('json'));
}

/** Adds what every call of a service takes. */
export function withServiceOptions(command: Command, deadlineS = DEADLINE_S): Command {
  return withJson(command)
    .option('--url <url>', `address of the service (or ${ENV.url})`)
    .addOption(new Option('--deadline <seconds>', 'longest that it may take').argParser(duration).default(deadlineS));
}

/** Adds the file with the key that pays. */
export function withKeyOption(command: Command): Command {
  return command.option(
    '--key-file <file>',
    `file with the private key that pays, mode 0600; - asks for it (or ${ENV.keyFile}, ${ENV.key})`,
  );
}

/** Adds the file with the token that spends credits. */
export function withTokenOption(command: Command): Command {
  return command.option(
    '--token-file <file>',
    `file with the token that spends credits, mode 0600; - asks for it (or ${ENV.tokenFile}, ${ENV.token})`,
  );
}

/** Adds what a call takes that may cost something. */
export function withPayingOptions(command: Command, deadlineS = DEADLINE_S): Command {
  return withLimitOptions(withTokenOption(withKeyOption(withServiceOptions(command, deadlineS))))
    .option('--fresh', 'start another purchase although one of the same request is unfinished')
    .option('--sandbox', 'show a free, invented example');
}

/** The same of a verdict, which is about an order now. */
export function withVerdictOptions(command: Command): Command {
  return withPayingOptions(command, VERDICT_DEADLINE_S);
}

/** Adds the limits of what may be signed and spent. */
export function withLimitOptions(command: Command): Command {
  return command
    .addOption(new Option('--max-per-call <usd>', 'most that one call may cost (0.10)').argParser(usdMicros))
    .addOption(
      new Option('--max-per-day <usd>', 'most that all calls of 24 hours may cost (2.00)').argParser(usdMicros),
    )
    .addOption(new Option('--max-packs-per-day <n>', 'credit packs in any 24 hours (1)').argParser(wholeNumber))
    .addOption(new Option('--max-authorization <seconds>', 'longest open authorization (120)').argParser(wholeNumber))
    .addOption(new Option('--payee <address>', 'the payee to accept in place of the pinned one').argParser(wallet));
}

/** Returns the limits that the command line names. */
export function limitsOf(options: LimitOptions): Partial<Limits> {
  const { maxPerCall, maxPerDay, maxPacksPerDay, maxAuthorization, payee } = options;
  return {
    ...(maxPerCall === undefined ? {} : { perCallMicros: maxPerCall }),
    ...(maxPerDay === undefined ? {} : { dailyMicros: maxPerDay }),
    ...(maxPacksPerDay === undefined ? {} : { packsPerDay: maxPacksPerDay }),
    ...(maxAuthorization === undefined ? {} : { authorizationS: maxAuthorization }),
    ...(payee === undefined ? {} : { payTo: payee }),
  };
}

/** Returns the address of the service. Throws a UsageError if nothing names one. */
export function serviceUrl({ url }: Pick<ServiceOptions, 'url'>, { env }: CliWorld): string {
  const found = url ?? env[ENV.url];
  if (found === undefined || found === '') throw new UsageError(`name the service: --url https://… or ${ENV.url}`);
  if (!URL.canParse(found) || !/^https?:$/.test(new URL(found).protocol)) {
    throw new UsageError(`the address of the service is not one: give --url https://… or ${ENV.url}`);
  }
  const { username, password } = new URL(found);
  if (username !== '' || password !== '') {
    throw new UsageError('the address of the service has a user name or password in it: leave them out');
  }
  try {
    return toBaseUrl(found);
  } catch (error) {
    throw new UsageError((error as TypeError).message);
  }
}

/** Returns what a call of the SDK takes from the command line. */
export function callOptions(options: ServiceOptions & { readonly fresh?: true }): CallOptions {
  return { deadlineMs: options.deadline * 1_000, fresh: options.fresh === true };
}

/** Reads a whole number of at most nine digits. Throws an InvalidArgumentError. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** Reads how often: once at least. Throws an InvalidArgumentError. */
export function times(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return count;
}

/** Reads whole seconds, at most a day: timers end much longer waits at once. */
export function duration(text: string): number {
  const seconds = wholeNumber(text);
  if (seconds < 1 || seconds > DAY_S) throw new InvalidArgumentError(`Give 1 to ${DAY_S} seconds.`);
  return seconds;
}

/** Reads a number as the service does. Throws an InvalidArgumentError. */
export function decimal(text: string): number {
  const number = readNumber(text);
  if (number === null || number < 0) throw new InvalidArgumentError(`Give ${NUMBER_FORM}.`);
  return number;
}

/** Reads an address, also in the URL of a profile, in lower case. Throws an InvalidArgumentError. */
export function wallet(text: string): WalletAddress {
  const read = readWallet(text);
  if (read.kind === 'address') return read.address;
  throw new InvalidArgumentError(
    read.kind === 'bad' ? read.problem : 'Give an EVM address: 0x and 40 hexadecimal digits.',
  );
}

function usdMicros(text: string): bigint {
  const micros = parseScaled(text, 6);
  if (micros === null) throw new InvalidArgumentError('Give USD, for example 0.10.');
  return BigInt(micros);
}
