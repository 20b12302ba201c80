import { type Command, Option } from 'commander';
import type { WalletAddress } from '#domain/ids';
import { UsageError } from '../exit.js';
import { readSecret } from '../secret-input.js';
import { wallet, withAdminOptions } from './run.js';
import { runTaking, type TakingOptions, withTakingOptions } from './taking.js';

type RevokeOptions = TakingOptions & { readonly wallet?: WalletAddress; readonly token?: true };

/** Adds `tokens revoke`. */
export function addTokensCommands(admin: Command): void {
  const tokens = admin.command('tokens').description('bearer tokens');
  withTakingOptions(withAdminOptions(tokens.command('revoke')))
    .description('end one token, or all tokens of a wallet; its credits stay')
    .addOption(new Option('--wallet <address>', 'all tokens of this wallet').argParser(wallet).conflicts('token'))
    .option('--token', 'one token, read from standard input or at a prompt: never from the command line')
    .action((options: RevokeOptions) => revoke(options));
}

async function revoke(options: RevokeOptions): Promise<void> {
  const target = await targetOf(options);
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

async function targetOf({ wallet: owner, token }: RevokeOptions) {
  if (owner !== undefined) return { wallet: owner };
  if (token) return { token: await readSecret('token') };
  throw new UsageError(
    'choose: --wallet ADDRESS for all tokens of a wallet, or --token for one that is piped in or typed',
  );
}
