import type { Command } from 'commander';
import { findRefusal, REFUSAL_TEXT_CHARS_MAX } from '#domain/refusals/refusals';
import type { Cli } from '../cli.js';
import { refusalLines } from '../draw/refusal-lines.js';
import { EXIT } from '../exit-codes.js';
import { withJson } from '../options.js';

interface ExplainOptions {
  readonly json?: true;
}

const EXPLAIN_HELP = `
Examples:
  $ preflight explain "order couldn't be fully filled. FOK orders are fully filled or killed."
  $ my-bot 2>&1 | preflight explain -`;

/** Adds `explain`: it calls no service. */
export function addExplainCommand(program: Command, cli: Cli): void {
  const command = withJson(program.command('explain'))
    .summary('explain why the venue refused an order')
    .description(
      'Explains a text with which the venue, or an official client, refused an order: the rule and what to change.',
    )
    .argument('<text>', 'the text, or an error that contains it; - reads standard input')
    .addHelpText('after', EXPLAIN_HELP);
  cli.run(command, async (given: string, { json }: ExplainOptions) => {
    const text = given === '-' ? await cli.world.readInput(REFUSAL_TEXT_CHARS_MAX) : given;
    const found = findRefusal(text);
    if (json)
      cli.printJson(
        JSON.stringify(
          found === null ? { found: false } : { found: true, refusal: found.refusal, values: found.values },
        ),
      );
    else cli.print(refusalLines(found, cli.frame));
    return found === null ? EXIT.failure : EXIT.ok;
  });
}
