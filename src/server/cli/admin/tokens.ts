import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { UsageError } from '../exit.js';
import { subjectOf, withSubject } from '../subject.js';
import { withAdminOptions } from './run.js';
import { runTaking, type TakingOptions, withTakingOptions } from './taking.js';

type RevokeOptions = TakingOptions & { readonly wallet?: string; readonly token?: true };

/** Adds `tokens revoke`. */
export function addTokensCommands(admin: Command): void {
  const tokens = admin.command('tokens').description('bearer tokens');
  withSubject(withTakingOptions(withAdminOptions(tokens.command('revoke'))), {
    name: 'wallet',
    about: 'all tokens of this wallet',
    formerOption: 'wallet',
  })
    .description('end one token, or all tokens of a wallet; its credits stay')
    .option('--token', 'one token, read from standard input or at a prompt: never from the command line')
    .action((owner: string | undefined, options: RevokeOptions) => revoke(ownerOf(owner), options));
}

/** Reads the wallet without repeating it: a token is no argument, and is a secret. */
function ownerOf(text: string | undefined): WalletAddress | undefined {
  if (text === undefined) return undefined;
  const owner = parseWallet(text);
  if (owner === null)
    throw new UsageError('the argument is no wallet address; a token is piped in or typed after --token');
  return owner;
}

async function revoke(owner: WalletAddress | undefined, options: RevokeOptions): Promise<void> {
  const target = await targetOf(owner, options);
  await runTaking(options, {
    describe: async ({ store }) => {
      if ('token' in target) return 'end this token; the credits stay';
      const count = (await store.tokens(target.wallet))?.tokens.length ?? 0;
      return `end the ${count} tokens of ${target.wallet}; the credits stay`;
    },
    take: async ({ credits }) => {
      const { revoked } = await credits.revokeTokens(target);
      // A token's text is a secret: it is never printed back.
      const text = `${revoked} ${revoked === 1 ? 'token' : 'tokens'} revoked`;
      return { json: { tokens_revoked: revoked }, text, isDone: revoked > 0 };
    },
  });
}

async function targetOf(given: WalletAddress | undefined, { wallet, token }: RevokeOptions) {
  const former = ownerOf(wallet);
  const owner = given ?? former;
  if (owner !== undefined && !token) return { wallet: subjectOf('wallet', given, former) };
  if (owner === undefined && token) return { token: await readSecret('token') };
  throw new UsageError('choose: a wallet (0x…) for all of its tokens, or --token for one that is piped in or typed');
}

/** More than any secret of ours; what is longer is not one. */
const SECRET_CHARS_MAX = 1_024;

/**
 * Reads a secret from standard input: piped in, or typed at a prompt that does not show it. It
 * never comes from the command line, which every user of the machine can read and shells keep.
 * Throws a UsageError if there is none.
 */
async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  // Only now: until the terminal is told not to, it shows what is typed or pasted.
  if (stdin.isTTY) stderr.write(`${name}: `);
  try {
    for await (const line of lines) {
      const secret = line.trim();
      if (secret.length > 0 && secret.length <= SECRET_CHARS_MAX) return secret;
      break;
    }
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
  throw new UsageError(`the ${name} is read from standard input: pipe it in, or type it at the prompt`);
}
