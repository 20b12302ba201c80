import { Argument, type Command } from 'commander';
import type { ServedTool } from '#api/operations';
import type { Cli } from '../cli.js';
import { clientOf } from '../client.js';
import { drawProbe } from '../draw/probe.js';
import { EXIT } from '../exit-codes.js';
import {
  callOptions,
  type LimitOptions,
  type ServiceOptions,
  withLimitOptions,
  withServiceOptions,
} from '../options.js';

const TOOLS: Readonly<Record<string, ServedTool>> = {
  verdict: 'preflight_trade',
  copy: 'preflight_copy',
  leaderboard: 'leaderboard',
  'red-list': 'red_list',
};

const HELP = `
Exit codes: 0 it would be signed, 3 a rule would refuse it.

Examples:
  $ preflight probe verdict
  $ preflight probe copy --json`;

/** Adds `probe`. */
export function addProbeCommand(program: Command, cli: Cli): void {
  const command = withLimitOptions(withServiceOptions(program.command('probe')))
    .summary('what a call would have to pay, and whether the rules allow it; free')
    .description(
      'What the service demands for a call, and whether the rules would let it be signed. Free: nothing is paid.',
    )
    .addArgument(new Argument('<call>', 'which call').choices(Object.keys(TOOLS)))
    .addHelpText('after', HELP);
  cli.run(command, async (call: string, options: ServiceOptions & LimitOptions) => {
    const found = await clientOf(cli, options, {}).preflight.probe(TOOLS[call]!, callOptions(options));
    if (options.json) cli.printJson(JSON.stringify(found));
    else cli.print(drawProbe(found, cli.frame));
    return found.demands.length > 0 && found.fault === null ? EXIT.ok : EXIT.refused;
  });
}
