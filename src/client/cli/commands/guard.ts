import type { Command } from 'commander';
import { DAY_S } from '#domain/time';
import { guardReport } from '../../guard/report/guard-report.js';
import { type LoggedOrder, loggedOrders } from '../../guard/report/logged-order.js';
import { reconcile } from '../../guard/report/reconcile.js';
import { readGuardLog } from '../../guard/state/guard-log.js';
import { guardLogFolder } from '../../guard/state/guard-state.js';
import { DATA_URL, type PublicFill, readPublicFills } from '../../http/public-fills.js';
import type { Cli } from '../cli.js';
import { homeOf } from '../client.js';
import { drawGuardReport } from '../draw/guard-report.js';
import { drawReconciliation } from '../draw/reconciliation.js';
import { EXIT } from '../exit-codes.js';
import { wholeNumber, withJson } from '../options.js';
import { UsageError } from '../usage-error.js';

interface GuardLogOptions {
  readonly days: number;
  readonly name: string;
  readonly json?: true;
}

interface ReconcileOptions extends GuardLogOptions {
  readonly dataUrl: string;
}

const DAYS_MAX = 366;
/** Wallets that one log is of: more than one has only who trades for others. */
const WALLETS_MAX = 20;

const REPORT_HELP = `
Examples:
  $ preflight guard report
  $ preflight guard report --days 1 --json`;
const RECONCILE_HELP = `
Examples:
  $ preflight reconcile --days 1

Exit codes: 0 if every order has what was answered, 10 if one needs a look (missing, unknown, beyond its worst price).`;

/** Adds `guard report` and `reconcile`: they read the log of the guard, and call no service. */
export function addGuardCommands(program: Command, cli: Cli): void {
  const report = withLogOptions(program.command('guard').summary('what the guard decided').command('report'))
    .summary('what the guard decided, and what became of those orders')
    .description(
      'Adds up what the guard decided, or would have decided in shadow mode, and what became of those orders.',
    )
    .addHelpText('after', REPORT_HELP);
  cli.run(report, async (options: GuardLogOptions) => {
    const found = guardReport(ordersOf(cli, options));
    if (options.json) cli.printJson(JSON.stringify(found));
    else cli.print(drawGuardReport(found, options.days, cli.frame));
    return EXIT.ok;
  });
  const reconciled = withLogOptions(program.command('reconcile'))
    .summary("compare planned orders with the venue's public trades")
    .description(
      "Compares each order of the guard's log with the venue's public trades of its wallet: filled, unfilled, slippage beyond the plan, fees.",
    )
    .option('--data-url <url>', "address of the venue's Data API", DATA_URL)
    .addHelpText('after', RECONCILE_HELP);
  cli.run(reconciled, async (options: ReconcileOptions) => {
    const orders = ordersOf(cli, options);
    const { fills, isComplete } = await fillsOf(cli, orders, options);
    if (!isComplete) cli.note('the venue does not list all trades of these days: ask for fewer days');
    const found = reconcile(orders, fills);
    if (options.json) cli.printJson(JSON.stringify({ ...found, is_complete: isComplete }));
    else cli.print(drawReconciliation(found, cli.frame));
    const needsLook = found.orders.some(
      (one) =>
        one.found === 'missing' || one.is_beyond_worst_price || (one.answered === 'unknown' && one.found !== 'filled'),
    );
    return needsLook || !isComplete ? EXIT.caution : EXIT.ok;
  });
}

function withLogOptions(command: Command): Command {
  return withJson(command)
    .option('--days <n>', 'how far back', days, 7)
    .option('--name <name>', 'name of the guard, if it has one', 'default');
}

function days(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > DAYS_MAX) throw new UsageError(`--days is 1 to ${DAYS_MAX}`);
  return count;
}

function ordersOf(cli: Cli, { days, name }: GuardLogOptions): readonly LoggedOrder[] {
  return loggedOrders(readGuardLog(logFolder(cli, name), sinceMs(cli, days)));
}

function logFolder(cli: Cli, name: string): string {
  try {
    return guardLogFolder({ home: homeOf(cli), name });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const sinceMs = (cli: Cli, days: number) => cli.world.system.clock.nowMs() - days * DAY_S * 1e3;

async function fillsOf(cli: Cli, orders: readonly LoggedOrder[], { days, dataUrl }: ReconcileOptions) {
  const wallets = new Set(orders.map(({ posted }) => posted?.maker ?? '').filter((maker) => maker !== ''));
  if (wallets.size > WALLETS_MAX)
    throw new UsageError(`the log is of more than ${WALLETS_MAX} wallets: ask for fewer days`);
  const fills: PublicFill[] = [];
  let isComplete = true;
  for (const wallet of wallets) {
    const found = await readPublicFills(dataUrl, wallet, sinceMs(cli, days) / 1e3, cli.world.signal);
    fills.push(...found.fills);
    isComplete &&= found.isComplete;
  }
  return { fills, isComplete };
}
