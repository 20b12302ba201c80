import type { Cli } from './cli.js';
import { figure } from './draw/figures.js';
import { line } from './draw/frame.js';
import { EXIT } from './exit-codes.js';
import { plain } from './plain-text.js';
import { openTokenFile, type TokenFile } from './token-file.js';

/** What a command takes whose answer holds a token, which is shown once. */
export interface TokenOptions {
  readonly saveToken?: string;
  readonly json?: true;
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
  const file = saveToken === undefined ? null : openTokenFile(saveToken);
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
