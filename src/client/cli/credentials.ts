import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { PayerAccount } from '../state/ports.js';
import { UsageError } from './usage-error.js';
import { type CliWorld, ENV } from './world/world.js';

/** What pays: a key, a token, or neither. */
export interface Credentials {
  readonly account?: PayerAccount;
  readonly token?: string;
}

interface CredentialOptions {
  readonly keyFile?: string;
  readonly tokenFile?: string;
}

const OTHERS = 0o077;
const SECRET_BYTES_MAX = 4_096;
const KEY = /^(?:0x)?([0-9a-fA-F]{64})$/;
const TOKEN = /^tk_0x[0-9a-fA-F]{40}_[\x21-\x7e]{1,200}$/;

/**
 * Returns the key and the token that are to be used. What the command line names goes before the
 * environment, so that `--key-file` pays from that wallet although a token lies in a variable.
 * Throws a UsageError, which tells no secret.
 */
export async function readCredentials(options: CredentialOptions, world: CliWorld): Promise<Credentials> {
  const { keyFile, tokenFile } = options;
  if (keyFile !== undefined && tokenFile !== undefined) {
    throw new UsageError('choose: --key-file pays per call, --token-file spends credits');
  }
  if (keyFile !== undefined) return { account: await accountFrom(keyFile, world) };
  if (tokenFile !== undefined) return { token: await tokenFrom(tokenFile, world) };
  const token = await readToken({}, world);
  return token === undefined ? withAccount(await readAccount({}, world)) : { token };
}

/** Returns the account of the key that the command line or the environment names. */
export async function readAccount({ keyFile }: CredentialOptions, world: CliWorld): Promise<PayerAccount | undefined> {
  const file = keyFile ?? only(world, ENV.keyFile, ENV.key);
  if (file !== undefined) return accountFrom(file, world);
  const key = world.env[ENV.key];
  return key ? accountOf(key, ENV.key) : undefined;
}

/** Returns the token that the command line or the environment names. */
export async function readToken({ tokenFile }: CredentialOptions, world: CliWorld): Promise<string | undefined> {
  const file = tokenFile ?? only(world, ENV.tokenFile, ENV.token);
  if (file !== undefined) return tokenFrom(file, world);
  const token = world.env[ENV.token];
  return token ? checkedToken(token.trim(), ENV.token) : undefined;
}

const withAccount = (account: PayerAccount | undefined): Credentials => (account === undefined ? {} : { account });

/** Of two variables for one secret one is a mistake, and the wrong wallet might pay. */
function only({ env }: CliWorld, fileName: string, name: string): string | undefined {
  if (env[fileName] && env[name]) throw new UsageError(`${fileName} and ${name} are both set: unset one of them`);
  return env[fileName] || undefined;
}

async function accountFrom(file: string, world: CliWorld): Promise<PayerAccount> {
  return accountOf(await secretFrom(file, 'private key', world), sourceOf(file));
}

async function tokenFrom(file: string, world: CliWorld): Promise<string> {
  return checkedToken(await secretFrom(file, 'token', world), sourceOf(file));
}

const sourceOf = (file: string) => (file === '-' ? 'what was given' : file);

async function secretFrom(file: string, name: string, world: CliWorld): Promise<string> {
  return file === '-' ? world.readSecret(name) : readPrivateFile(file, name);
}

/** Reads a secret from a file or a pipe; refuses one that others can read. */
function readPrivateFile(path: string, name: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new UsageError(`${path}, the file of the ${name}, cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const found = fstatSync(file);
    const { mode, size } = found;
    if (found.isDirectory()) throw new UsageError(`${path} is a folder: name the file of the ${name}`);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new UsageError(`${path} is open to other users of this machine: chmod 600 ${path}, and nothing was read`);
    }
    if (size > SECRET_BYTES_MAX) throw new UsageError(`${path} is too long to hold a ${name}`);
    return readFileSync(file, 'utf8').trim();
  } finally {
    closeSync(file);
  }
}

async function accountOf(text: string, source: string): Promise<PayerAccount> {
  const [, digits] = KEY.exec(text.trim()) ?? [];
  // It is most of the start of a command.
  const { accountOfKey } = await import('./account-of-key.js');
  try {
    if (digits !== undefined) return accountOfKey(digits);
  } catch {
    // Out of range. What the library says of it might tell the key.
  }
  throw new UsageError(`${source} holds no private key: 0x and 64 hexadecimal digits`);
}

function checkedToken(text: string, source: string): string {
  if (TOKEN.test(text)) return text;
  throw new UsageError(`${source} holds no token: it has the form tk_<wallet>_<secret>`);
}
