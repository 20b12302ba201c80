import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { payingClient } from '../client.js';
import { callOptions, duration, times, withVerdictOptions } from '../options.js';
import { type OrderOptions, readOrder, withOrderOptions } from '../order-options.js';
import { watchOrder } from '../watch-order.js';

type WatchOptions = OrderOptions & { readonly interval: number; readonly count?: number };

const INTERVAL_S = 30;

const HELP = `
Exit codes: that of the last verdict; 3 if the daily cap ended it.

Examples:
  $ preflight watch will-arcadia-call-a-snap-election-by-december-31 --usd 250 --interval 1 --count 2
  $ preflight watch will-arcadia-call-a-snap-election-by-december-31 --side sell --count 1 --json`;

/** Adds `watch`. */
export function addWatchCommand(program: Command, cli: Cli): void {
  const command = withVerdictOptions(withOrderOptions(program.command('watch')))
    .summary('the verdict of an order, again and again; 0.02 USD or 1 credit each')
    .description(
      'Asks for the verdict of an order at an interval. Each time costs 0.02 USD or 1 credit, never more than the daily cap: ' +
        'a credit counts as a cent. On a terminal it draws in place, else it prints a line for each change of verdict.',
    )
    .addOption(
      new Option('--interval <seconds>', 'time from one to the next, at least 1')
        .argParser(duration)
        .default(INTERVAL_S),
    )
    .addOption(new Option('--count <n>', 'end after so many').argParser(times))
    .addHelpText('after', HELP);
  cli.run(command, async (market: string, options: WatchOptions) => {
    const client = await payingClient(cli, options);
    return watchOrder(cli, client, {
      order: readOrder(market, options),
      call: callOptions(options),
      intervalMs: options.interval * 1_000,
      count: options.count ?? Number.POSITIVE_INFINITY,
      isJson: options.json === true,
      limits: options,
    });
  });
}
