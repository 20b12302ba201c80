import type { Command } from 'commander';
import type { Answer, RefreshOptions } from '../../answers.js';
import type { Preflight } from '../../preflight.js';
import type { Cli } from '../cli.js';
import { payingClient } from '../client.js';
import { drawWalletList } from '../draw/wallet-list.js';
import { EXIT } from '../exit-codes.js';
import { callOptions, type PayingOptions, withPayingOptions } from '../options.js';
import { showAnswer } from '../show-answer.js';

type ListOptions = PayingOptions & { readonly refresh?: true };
type Ask = (preflight: Preflight, options: RefreshOptions) => Promise<Answer<unknown>>;

const help = (name: string) => `
Examples:
  $ preflight ${name}
  $ preflight ${name} --json`;

/** Adds `leaderboard` and `red-list`. */
export function addListCommands(program: Command, cli: Cli): void {
  addList(program, cli, 'leaderboard', 'wallets worth copying', (preflight, options) => preflight.leaderboard(options));
  addList(program, cli, 'red-list', 'wallets that lose their copiers money', (preflight, options) =>
    preflight.redList(options),
  );
}

function addList(program: Command, cli: Cli, name: string, what: string, ask: Ask): void {
  const command = withPayingOptions(program.command(name))
    .summary(`${what}: 0.02 USD or 1 credit`)
    .description(`${what[0]!.toUpperCase()}${what.slice(1)}. Costs 0.02 USD or 1 credit, once until it is recomputed.`)
    .option('--refresh', 'ask again and pay, even if the cached answer is still valid')
    .addHelpText('after', help(name));
  cli.run(command, async (options: ListOptions) => {
    const { preflight } = await payingClient(cli, options);
    const answer = await ask(preflight, { ...callOptions(options), refresh: options.refresh === true });
    showAnswer(cli, options, answer, () => drawWalletList(answer, cli.frame));
    return EXIT.ok;
  });
}
