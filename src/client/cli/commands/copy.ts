import type { Command } from 'commander';
import type { WalletAddress } from '#domain/ids';
import type { Cli } from '../cli.js';
import { payingClient } from '../client.js';
import { drawWalletVerdict } from '../draw/wallet-verdict.js';
import { keepIssuerKeys } from '../issuer-keys.js';
import { callOptions, type PayingOptions, wallet, withPayingOptions } from '../options.js';
import { concludeAnswer, showAnswer } from '../show-answer.js';

type CopyCommandOptions = PayingOptions & { readonly wait?: true; readonly refresh?: true; readonly evidence?: true };

const HELP = `
Exit codes: 0 COPY, 10 WATCH (or stale), 20 VETO, 30 QUEUED or NO_COVERAGE.

Examples:
  $ preflight copy 0x55520a093ab91cf6206a3459eb4e8fec5c558788 --wait --deadline 120
  $ preflight copy 0x55520a093ab91cf6206a3459eb4e8fec5c558788 --evidence --json`;

/** Adds `copy`. */
export function addCopyCommand(program: Command, cli: Cli): void {
  const command = withPayingOptions(program.command('copy'))
    .summary('is this wallet worth copying? 0.10 USD or 5 credits')
    .description('Is this wallet worth copying? Costs 0.10 USD or 5 credits; QUEUED and NO_COVERAGE are free.')
    .argument('<wallet>', 'its address, not a user name', wallet)
    .option('--wait', 'ask until the wallet is rated or the deadline has passed')
    .option('--evidence', 'with what the rating was computed from, signed: --json > FILE, then verify FILE; same price')
    .option('--refresh', 'ask again and pay, even if the cached answer is still valid')
    .addHelpText('after', HELP);
  cli.run(command, async (address: WalletAddress, options: CopyCommandOptions) => {
    const { preflight, baseUrl } = await payingClient(cli, options, { wallet: address });
    const { wait = false, refresh = false, evidence = false } = options;
    const answer = await preflight.copy(address, { ...callOptions(options), wait, refresh, evidence });
    await keepIssuerKeys(answer.body, baseUrl, cli);
    showAnswer(cli, options, answer, () => drawWalletVerdict(answer, cli.frame));
    return concludeAnswer(cli, answer);
  });
}
