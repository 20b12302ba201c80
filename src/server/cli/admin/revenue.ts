import { type Command, Option } from 'commander';
import { toPriceText } from '#api/prices';
import { Revenue, type RevenueLine } from '#domain/payment/revenue';
import { pagesOf } from '#services/integrity/pages';
import { moment } from '../moment.js';
import { eachPayment } from './find-payments.js';
import { type AdminOptions, type Report, readAdmin, withAdminOptions } from './run.js';
import { table } from './table.js';

type RevenueOptions = AdminOptions & { readonly from?: number; readonly to?: number; readonly csv?: true };

const COLUMNS = ['day', 'lane', 'tool', 'calls', 'usdc', 'credits'] as const;

/** Adds `revenue`: what came in and what was used, by day, lane and tool. */
export function addRevenueCommand(admin: Command): void {
  withAdminOptions(admin.command('revenue'))
    .description('what was paid and which credits were used, by day (UTC), lane and tool')
    .addOption(new Option('--from <time>', 'at this time (ISO 8601) or later').argParser(moment))
    .addOption(new Option('--to <time>', 'before this time').argParser(moment))
    .addOption(new Option('--csv', 'print it as CSV').conflicts('json'))
    .action((options: RevenueOptions) => revenue(options));
}

function revenue(options: RevenueOptions): Promise<void> {
  const span = { fromMs: options.from ?? 0, toMs: options.to ?? Number.POSITIVE_INFINITY };
  return readAdmin(options, async ({ store }): Promise<Report> => {
    const sums = new Revenue(span);
    await eachPayment(store, (row) => sums.addPayment(row));
    for await (const { items } of pagesOf(store.entries)) for (const entry of items) sums.addEntry(entry);
    const lines = sums.lines();
    const total = toPriceText(lines.reduce((sum, { usdcMicros }) => sum + usdcMicros, 0n));
    const credits = lines.reduce((sum, line) => sum + line.credits, 0);
    const json = { usdc: total, credits, lines: lines.map(lineJson) };
    return { json, text: options.csv === true ? csvOf(lines) : textOf(lines, total, credits) };
  });
}

function lineJson({ day, lane, operation, calls, usdcMicros, credits }: RevenueLine) {
  return { day, lane, tool: operation, calls, usdc: toPriceText(usdcMicros), credits };
}

const cellsOf = (line: RevenueLine) => Object.values(lineJson(line)).map(String);

function textOf(lines: readonly RevenueLine[], total: string, credits: number): string {
  if (lines.length === 0) return 'nothing was paid and no credits were used';
  const rows = lines.map(cellsOf);
  return `${table(
    COLUMNS.map((name) => name.toUpperCase()),
    rows,
  )}\n\n${total} USDC came in, ${credits} credits were used`;
}

/** No cell needs quotes: days, names of tools and numbers. */
function csvOf(lines: readonly RevenueLine[]): string {
  return [[...COLUMNS], ...lines.map(cellsOf)].map((cells) => cells.join(',')).join('\n');
}
