import type { Command } from 'commander';
import { parseEvaluation } from '#api/evaluate/evaluate-request';
import { evaluate } from '#judge/evaluate';
import type { Cli } from '../cli.js';
import { drawOrderVerdict } from '../draw/order-verdict.js';
import { withJson } from '../options.js';
import { type OrderTermOptions, orderTerms, withOrderTerms } from '../order-options.js';
import { readJson } from '../read-json.js';
import { concludeAnswer, showAnswer } from '../show-answer.js';
import { UsageError } from '../usage-error.js';

type EvaluateOptions = OrderTermOptions & { readonly json?: true };

const HELP = `
The file has a book (GET /book of the venue, bids and asks, or Kalshi's order book), or a whole request as POST
/api/evaluate takes it, whose own values win over options.

Examples:
  $ preflight evaluate book.json --side buy --usd 250 --plan
  $ preflight evaluate book.json --json`;

/** Adds `evaluate`: the arithmetic of the service, in this process. It calls no service. */
export function addEvaluateCommand(program: Command, cli: Cli): void {
  const command = withJson(withOrderTerms(program.command('evaluate')))
    .summary('judge an order on a book from a file; offline')
    .description('Judges an order on a book that you bring, by the code of live verdicts. Free; works offline.')
    .argument('<file>', 'the book or request as JSON; - reads standard input')
    .addHelpText('after', HELP);
  cli.run(command, async (file: string, options: EvaluateOptions) => {
    const given = await readJson(file, cli);
    const terms = orderTerms(options);
    const parsed = parseEvaluation('book' in given ? { ...terms, ...given } : { ...terms, book: given });
    if (parsed.kind === 'invalid') throw new UsageError(parsed.message);
    const body = evaluate(parsed.args, cli.world.system.clock.nowMs());
    const answer = { body, text: JSON.stringify(body), lane: 'sandbox', stale: false, cached: false } as const;
    showAnswer(cli, options, answer, () => drawOrderVerdict(answer, cli.frame));
    return concludeAnswer(cli, answer);
  });
}
