import { type Command, Option } from 'commander';
import type { WalletAddress } from '#domain/ids';
import { UsageError } from '../exit.js';
import { readSecret } from '../secret-input.js';
import { type AdminOptions, runAdmin, wallet, withAdminOptions } from './run.js';

type RevokeOptions = AdminOptions & { readonly wallet?: WalletAddress; readonly token?: true };

/** Adds `tokens revoke`. */
export function addTokensCommands(admin: Command): void {
  const tokens = admin.command('tokens').description('bearer tokens');
  withAdminOptions(tokens.command('revoke'))
    .description('end one token, or all tokens of a wallet; its credits stay')
    .addOption(new Option('--wallet <address>', 'all tokens of this wallet').argParser(wallet).conflicts('token'))
    .option('--token', 'one token, read from standard input or at a prompt: never from the command line')
    .action((options: RevokeOptions) => revoke(options));
}

async function revoke(options: RevokeOptions): Promise<void> {
  const target = await targetOf(options);
  await runAdmin(options, async ({ credits }) => {
    const { revoked } = await credits.revokeTokens(target);
    // A token's text is a secret: it is never printed back.
    return { json: { tokens_revoked: revoked }, text: `${revoked} ${revoked === 1 ? 'token' : 'tokens'} revoked` };
  });
}

async function targetOf({ wallet: owner, token }: RevokeOptions) {
  if (owner !== undefined) return { wallet: owner };
  if (token) return { token: await readSecret('token') };
  throw new UsageError(
    'choose: --wallet ADDRESS for all tokens of a wallet, or --token for one that is piped in or typed',
  );
}
