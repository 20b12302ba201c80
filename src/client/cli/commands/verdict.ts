import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { payingClient } from '../client.js';
import { drawOrderVerdict } from '../draw/order-verdict.js';
import { keepIssuerKeys } from '../issuer-keys.js';
import { callOptions, withVerdictOptions } from '../options.js';
import { type OrderOptions, readOrder, withOrderOptions } from '../order-options.js';
import { concludeAnswer, showAnswer } from '../show-answer.js';

const HELP = `
Exit codes: 0 OK, 10 CAUTION (or stale), 20 VETO.

Examples:
  $ preflight verdict will-arcadia-call-a-snap-election-by-december-31 --usd 250 --plan
  $ preflight verdict arcadia-presidential-election-winner --outcome "Clara Voss" --side sell --usd 20 --json
  $ preflight verdict any-market --sandbox
  $ preflight verdict sandbox-veto --sandbox`;

/** Adds `verdict`. The levels that it draws come from the evidence, which costs nothing more. */
export function addVerdictCommand(program: Command, cli: Cli): void {
  const command = withVerdictOptions(withOrderOptions(program.command('verdict')))
    .summary('should this order be sent now? 0.02 USD or 1 credit')
    .description('Should this order be sent, now, at this size, on this book? Costs 0.02 USD or 1 credit.')
    .addHelpText('after', HELP);
  cli.run(command, async (market: string, options: OrderOptions) => {
    const order = readOrder(market, options);
    const client = await payingClient(cli, options, { ...order });
    const answer = await client.preflight.verdict(order, callOptions(options));
    showAnswer(cli, options, answer, () => drawOrderVerdict(answer, cli.frame));
    // So that `verify` needs nobody later.
    await keepIssuerKeys(answer.body, client.baseUrl, cli);
    return concludeAnswer(cli, answer);
  });
}
