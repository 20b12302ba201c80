import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { clientOf } from '../client.js';
import { readAccount } from '../credentials.js';
import { deliverToken, saveTokenOption, type TokenOptions, type Undelivered } from '../deliver-token.js';
import { callOptions, type ServiceOptions, withKeyOption, withServiceOptions } from '../options.js';
import { UsageError } from '../usage-error.js';
import { ENV } from '../world/world.js';

const HELP = `
Examples:
  $ preflight token --save-token new.token
  $ preflight token --json`;

const UNDELIVERED: Undelivered = { charged: 'nothing', next: 'Give it a place to go to and make the same call again' };

/** Adds `token`. */
export function addTokenCommand(program: Command, cli: Cli): void {
  const command = withKeyOption(withServiceOptions(program.command('token')))
    .summary('a new token in the place of a lost one; free')
    .description(
      'Gets a new token for all credits of the wallet whose key signs for it. Costs nothing and moves no funds; ' +
        'the last 5 tokens of a wallet are valid.',
    )
    .addOption(saveTokenOption())
    .addHelpText('after', HELP);
  cli.run(command, async (options: ServiceOptions & TokenOptions & { readonly keyFile?: string }) => {
    const account = await readAccount(options, cli.world);
    if (account === undefined) {
      throw new UsageError(
        `the private key of the wallet signs for a new token: --key-file, ${ENV.keyFile} or ${ENV.key}`,
      );
    }
    const { preflight } = clientOf(cli, options, { account });
    return deliverToken(cli, options, UNDELIVERED, async (deliver) => {
      const body = await preflight.newToken(callOptions(options));
      await deliver({ body, text: JSON.stringify(body) });
    });
  });
}
