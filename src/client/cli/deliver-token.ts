import { join } from 'node:path';
import { Option } from 'commander';
import { makePrivateFolder } from '../node/durable.js';
import { PreflightError } from '../terms/errors.js';
import type { Cli } from './cli.js';
import { homeOf } from './client.js';
import { figure } from './draw/figures.js';
import { line } from './draw/frame.js';
import { EXIT } from './exit-codes.js';
import { plain } from './plain-text.js';
import { openTokenFile, type TokenFile } from './token-file.js';
import { UsageError } from './usage-error.js';
import { ENV } from './world/world.js';

/** What a command takes whose answer holds a token, which is shown once. */
export interface TokenOptions {
  /** true: in a file of its wallet in PREFLIGHT_HOME. */
  readonly saveToken?: string | true;
  readonly json?: true;
}

/** Adds nothing to a tree that is shared or committed: without a name the file is in PREFLIGHT_HOME. */
export function saveTokenOption(): Option {
  const about = `keep the token in a new file, mode 0600, and do not print it; without a name in ${ENV.home}`;
  return new Option('--save-token [file]', about).conflicts('json');
}

/** As much of such an answer as is drawn. */
interface TokenAnswer {
  readonly token: string;
  readonly wallet: string;
  /** Absent: it spends what was there before. */
  readonly credits_added?: number;
  readonly balance: number;
  readonly expires: string;
}

/** An answer with a token in it. */
interface Delivered {
  readonly body: TokenAnswer;
  readonly text: string;
}

/** What is said of a token that came and could not be handed over. */
export type Undelivered = Pick<PreflightError, 'charged' | 'next'>;

/**
 * Asks for a token and shows it, or keeps it in a file that is made before anything is sent. A
 * token that cannot be written to it is printed all the same: it is paid for. `ask` hands the
 * answer to `deliver`, which rejects where the token reaches nobody. Resolves with the exit code.
 */
export async function deliverToken(
  cli: Cli,
  options: TokenOptions,
  undelivered: Undelivered,
  ask: (deliver: (answer: Delivered) => Promise<void>) => Promise<unknown>,
): Promise<number> {
  const { saveToken } = options;
  if (cli.isQuiet && saveToken === undefined) {
    throw new UsageError('--quiet would lose the token: add --save-token. Nothing was sent');
  }
  const file = saveToken === undefined ? null : openTokenFile(saveToken === true ? newTokenPath(cli) : saveToken);
  let [exitCode, isStored]: [number, boolean] = [EXIT.ok, false];
  try {
    await ask(async ({ body, text }) => {
      const hasToken = typeof body.token === 'string';
      isStored = hasToken && file !== null && keep(cli, file, body.token);
      if (hasToken) show(cli, options, body, isStored ? file!.path : null, text);
      else exitCode = showUnknown(cli, text);
      if (!isStored) await flushed(cli, undelivered);
    });
  } finally {
    if (!isStored) file?.drop();
  }
  return exitCode;
}

function showUnknown(cli: Cli, text: string): number {
  cli.note('the answer has no token; here is the whole answer, for the operator of the service');
  cli.printJson(text);
  return EXIT.failure;
}

async function flushed({ world }: Cli, undelivered: Undelivered): Promise<void> {
  await world.out.flushed().catch((cause: NodeJS.ErrnoException) => {
    throw new PreflightError(`the token came and could not be printed (${cause.code})`, { ...undelivered, cause });
  });
}

function show(cli: Cli, { json }: TokenOptions, body: TokenAnswer, storedIn: string | null, text: string): void {
  if (json) {
    cli.printJson(text);
    return;
  }
  const { wallet, credits_added, balance, expires, token } = body;
  const { frame } = cli;
  cli.print([
    line(
      frame,
      credits_added === undefined
        ? `${figure(balance, 0)} credits of ${plain(wallet)}`
        : `${figure(credits_added, 0)} credits for ${plain(wallet)}, balance ${figure(balance, 0)}`,
    ),
    line(frame, `until ${plain(expires)}`),
    storedIn === null ? `token (a secret, shown only this once): ${plain(token)}` : line(frame, `token in ${storedIn}`),
  ]);
}

function keep(cli: Cli, file: TokenFile, token: string): boolean {
  try {
    file.keep(token);
    return true;
  } catch (error) {
    cli.note(`${file.path} could not be written (${(error as NodeJS.ErrnoException).code}): here is the token`);
    return false;
  }
}

/** Of a name that no other token has. */
function newTokenPath(cli: Cli): string {
  const folder = join(homeOf(cli), 'tokens');
  makePrivateFolder(folder);
  const now = new Date(cli.world.system.clock.nowMs()).toISOString();
  return join(folder, `${now.replaceAll(/[-:.]/g, '')}.token`);
}
