import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
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
  readonly credits_added: number;
  readonly balance: number;
  readonly expires: string;
}

/**
 * Asks for a token and shows it, or keeps it in a file that is made before anything is sent. A
 * token that cannot be written is printed all the same: it is paid for. Resolves with the exit
 * code.
 */
export async function deliverToken<Body extends TokenAnswer>(
  cli: Cli,
  { saveToken, json }: TokenOptions,
  ask: () => Promise<{ readonly body: Body; readonly text: string }>,
): Promise<number> {
  if (cli.isQuiet && saveToken === undefined) {
    throw new UsageError('--quiet would lose the token: add --save-token. Nothing was sent');
  }
  const file = saveToken === undefined ? null : openTokenFile(saveToken === true ? newTokenPath(cli) : saveToken);
  const answer = await ask().catch((error: unknown) => {
    file?.drop();
    throw error;
  });
  if (typeof answer.body.token !== 'string') {
    file?.drop();
    cli.note('the answer has no token; here is the whole answer, for the operator of the service');
    cli.printJson(answer.text);
    return EXIT.failure;
  }
  const isStored = file !== null && keep(cli, file, answer.body.token);
  if (json) {
    cli.printJson(answer.text);
    return EXIT.ok;
  }
  const { wallet, credits_added, balance, expires, token } = answer.body;
  const { frame } = cli;
  cli.print([
    line(frame, `${figure(credits_added, 0)} credits for ${plain(wallet)}, balance ${figure(balance, 0)}`),
    line(frame, `until ${plain(expires)}`),
    isStored ? line(frame, `token in ${file.path}`) : `token (a secret, shown only this once): ${plain(token)}`,
  ]);
  return EXIT.ok;
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = new Date(cli.world.system.clock.nowMs()).toISOString();
  return join(folder, `${now.replaceAll(/[-:.]/g, '')}.token`);
}
