import type { Command } from 'commander';
import type { WalletAddress } from '#domain/ids';
import type { Cli } from '../cli.js';
import { freeClient } from '../client.js';
import { deliverToken, saveTokenOption, type TokenOptions, type Undelivered } from '../deliver-token.js';
import { callOptions, type ServiceOptions, wallet, withServiceOptions } from '../options.js';

const HELP = `
Examples:
  $ preflight redeem LOCAL-1A2B3C4D 0x1111111111111111111111111111111111111111 --save-token promo.token
  $ preflight redeem LOCAL-1A2B3C4D 0x3333333333333333333333333333333333333333 --json`;

const UNDELIVERED: Undelivered = {
  charged: 'nothing',
  next: 'The code is used: the key of the wallet gets a new token by POST /api/credits/token (preflight token)',
};

/** Adds `redeem`. */
export function addRedeemCommand(program: Command, cli: Cli): void {
  const command = withServiceOptions(program.command('redeem'))
    .summary('exchange a promotional code for credits; free')
    .description('Exchanges a promotional code for free credits. Nothing is signed; the answer holds a token: keep it.')
    .argument('<code>', 'the code, as it was announced')
    .argument('<wallet>', 'any EVM address: the name of the credits, which needs no key', wallet)
    .addOption(saveTokenOption())
    .addHelpText('after', HELP);
  cli.run(command, async (code: string, owner: WalletAddress, options: ServiceOptions & TokenOptions) => {
    const client = freeClient(cli, options);
    return deliverToken(cli, options, UNDELIVERED, async (deliver) => {
      const body = await client.redeem(code, owner, callOptions(options));
      await deliver({ body, text: JSON.stringify(body) });
    });
  });
}
