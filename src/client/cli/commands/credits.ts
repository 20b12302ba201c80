import type { Command } from 'commander';
import type { CreditsResponse } from '#api/credits';
import type { Cli } from '../cli.js';
import { freeClient } from '../client.js';
import { readToken } from '../credentials.js';
import { figure } from '../draw/figures.js';
import { type Frame, line } from '../draw/frame.js';
import { EXIT } from '../exit-codes.js';
import { callOptions, type ServiceOptions, withServiceOptions, withTokenOption } from '../options.js';
import { plain } from '../plain-text.js';

const HELP = `
Examples:
  $ preflight credits
  $ preflight credits --json`;

/** Adds `credits`. */
export function addCreditsCommand(program: Command, cli: Cli): void {
  const command = withTokenOption(withServiceOptions(program.command('credits')))
    .summary('balance of a token, or terms of the credit pack; free')
    .description('Balance and expiry of a token, and what a pack and the calls cost. Free.')
    .addHelpText('after', HELP);
  cli.run(command, async (options: ServiceOptions & { readonly tokenFile?: string }) => {
    const token = await readToken(options, cli.world);
    const { credits } = freeClient(cli, options, token === undefined ? {} : { token });
    const answer = await (token === undefined ? credits.terms : credits.balance)(callOptions(options));
    if (options.json) cli.printJson(JSON.stringify(answer));
    else cli.print(drawCredits(answer, cli.frame));
    return EXIT.ok;
  });
}

function drawCredits({ balance, expires, pack, costs }: CreditsResponse, frame: Frame): readonly string[] {
  const until = expires === undefined ? '' : `, the first expire ${plain(expires)}`;
  const costText = Object.entries(costs ?? {}).map(([name, credits]) => `${plain(name)} ${figure(credits, 0)}`);
  return [
    ...(balance === undefined ? [] : [`balance ${figure(balance, 0)}${until}`]),
    `a pack: ${figure(pack?.credits, 0)} credits for ${figure(pack?.usd, 2, 2)} USD, good for ${figure(pack?.valid_days, 0)} days`,
    `a call: ${costText.join(', ')}`,
  ].map((text) => line(frame, text));
}
