import type { Command } from 'commander';
import { CREDIT_PACK } from '#api/prices';
import type { Cli } from '../cli.js';
import { clientOf } from '../client.js';
import { readAccount } from '../credentials.js';
import { deliverToken, saveTokenOption, type TokenOptions, type Undelivered } from '../deliver-token.js';
import {
  callOptions,
  type LimitOptions,
  type ServiceOptions,
  withKeyOption,
  withLimitOptions,
  withServiceOptions,
} from '../options.js';
import { UsageError } from '../usage-error.js';
import { ENV } from '../world/world.js';

type BuyOptions = ServiceOptions &
  LimitOptions &
  TokenOptions & { readonly keyFile?: string; readonly yes?: true; readonly fresh?: true };

const PACK = `${CREDIT_PACK.credits} credits, good for ${CREDIT_PACK.valid_days} days, for ${CREDIT_PACK.usd}.00 USD`;

const HELP = `
Examples:
  $ preflight buy --yes --save-token pack.token
  $ preflight buy --yes --json --max-packs-per-day 2`;

const UNDELIVERED: Undelivered = {
  charged: 'paid',
  next: 'Give it a place to go to and make the same call again within 24 hours: it pays nothing and gets the token once more',
};

/** Adds `buy`: the one command that pays more than the limit per call, and only with --yes. */
export function addBuyCommand(program: Command, cli: Cli): void {
  const command = withLimitOptions(withKeyOption(withServiceOptions(program.command('buy'))))
    .summary(`buy ${PACK}`)
    .description(`Buys ${PACK}, in USDC on Base. The answer holds the token that spends them: keep it.`)
    .option('--yes', 'pay; without it nothing is paid')
    .addOption(saveTokenOption())
    .option('--fresh', 'buy another pack although an earlier purchase is unfinished')
    .addHelpText('after', HELP);
  cli.run(command, async (options: BuyOptions) => {
    if (!options.yes) throw new UsageError(`this pays ${PACK}: add --yes. Nothing was paid`);
    const account = await readAccount(options, cli.world);
    if (account === undefined) {
      throw new UsageError(`a pack is paid by a private key: --key-file, ${ENV.keyFile} or ${ENV.key}`);
    }
    const { preflight } = clientOf(cli, options, { account });
    return deliverToken(cli, options, UNDELIVERED, (onAnswer) =>
      preflight.credits.buy({ ...callOptions(options), onAnswer }),
    );
  });
}
