import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { stateOf } from '../client.js';
import { readCredentials } from '../credentials.js';
import { EXIT } from '../exit-codes.js';
import { withoutSecrets } from '../hide-secrets.js';
import {
  duration,
  type LimitOptions,
  limitsOf,
  serviceUrl,
  withKeyOption,
  withLimitOptions,
  withTokenOption,
} from '../options.js';
import { UsageError } from '../usage-error.js';
import { ENV } from '../world/world.js';

type McpOptions = LimitOptions & {
  readonly url?: string;
  readonly deadline?: number;
  readonly keyFile?: string;
  readonly tokenFile?: string;
};

const HELP = `
Ends with 0 when the host closes standard input.

Examples:
  $ preflight mcp < /dev/null`;

/** Adds `mcp`: standard input and output carry the protocol, and nothing else. */
export function addMcpCommand(program: Command, cli: Cli): void {
  const command = withLimitOptions(withTokenOption(withKeyOption(program.command('mcp'))))
    .summary('serve the tools by MCP on stdio, for hosts that have no wallet')
    .description(
      'Serves the tools of the service and `limits` by MCP on standard input and output, paid by the same rules. Without a ' +
        'key and a token its tools are free examples.',
    )
    .option('--url <url>', `address of the service (or ${ENV.url})`)
    .option('--deadline <seconds>', 'longest that one call may take (45)', duration)
    .addHelpText('after', HELP);
  cli.run(command, async (options: McpOptions) => {
    if ([options.keyFile, options.tokenFile].includes('-')) {
      throw new UsageError('standard input carries the protocol: give the key or the token by a file or a variable');
    }
    const { world } = cli;
    const credentials = await readCredentials(options, world);
    const baseUrl = serviceUrl(options, world);
    // Loaded here, because no other command needs it.
    const { serveStdio } = await import('../../stdio/serve-stdio.js');
    await serveStdio({
      baseUrl,
      limits: limitsOf(options),
      ledger: stateOf(cli),
      system: world.system,
      signal: world.signal,
      log: (line) => cli.note(withoutSecrets(line)),
      ...(options.deadline === undefined ? {} : { deadlineMs: options.deadline * 1_000 }),
      ...credentials,
    });
    return EXIT.ok;
  });
}
