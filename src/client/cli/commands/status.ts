import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { freeClient } from '../client.js';
import { drawStatus } from '../draw/status.js';
import { EXIT } from '../exit-codes.js';
import { callOptions, type ServiceOptions, withServiceOptions } from '../options.js';

const HELP = `
Exit codes: 0 ok, 10 degraded.

Examples:
  $ preflight status
  $ preflight status --json`;

/** Adds `status`. */
export function addStatusCommand(program: Command, cli: Cli): void {
  const command = withServiceOptions(program.command('status'))
    .summary('how fresh the service is; free')
    .description('How fresh the service is, and by what it is degraded. Free.')
    .addHelpText('after', HELP);
  cli.run(command, async (options: ServiceOptions) => {
    const report = await freeClient(cli, options).status(callOptions(options));
    if (options.json) cli.printJson(JSON.stringify(report));
    else cli.print(drawStatus(report, cli.frame));
    return report.status === 'ok' ? EXIT.ok : EXIT.caution;
  });
}
