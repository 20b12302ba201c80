import { existsSync } from 'node:fs';
import { openTapeSources, type TapeModule } from '#compose/tape';
import { readVenueUrls } from '#config/venue-urls';
import type { HistoryFormat, HistoryImport, HistoryReport } from '#ports/tape';
import { createTapeMarkets } from '#services/tape/markets';
import { markWhole } from '#services/tape/whole-spans';
import { UsageError } from '../../exit.js';
import { timeLeft } from '../../time-left.js';
import { type ProgressLine, untilStopped } from '../progress.js';
import { runTape, type TapeOptions, type TapeReport } from '../run.js';
import { toReport } from '../status.js';

export type HistoryOptions = TapeOptions & {
  readonly predictions?: string;
  readonly markets?: string;
  readonly dryRun?: boolean;
};

const ADVICE = 'what was imported is kept: run the same command again to go on';

/** Imports a data set of the past. */
export async function importHistoryFiles(
  format: HistoryFormat,
  files: readonly string[],
  options: HistoryOptions,
): Promise<void> {
  const { dryRun: isDry = false } = options;
  const tables = tablesOf(format, options);
  await runTape(options, { makes: true, advice: ADVICE }, (module) =>
    untilStopped(module.clock, async (shown, signal) => {
      const facts = () => openTapeSources(readVenueUrls(process.env), module.clock).facts;
      const tokens = tables === null ? { outcomes: facts() } : { tables };
      const nowS = Math.floor(module.clock.nowMs() / 1e3);
      return importAll(module, { format, files, tokens, nowS, isDry, signal }, shown);
    }),
  );
}

/**
 * Both tables or none: without them the venue is asked, which knows tokens and no rows of a data
 * set.
 */
function tablesOf(format: HistoryFormat, { predictions, markets }: HistoryOptions) {
  if (predictions === undefined && markets === undefined && format === 'orderfilled') return null;
  if (predictions === undefined || markets === undefined) {
    throw new UsageError(`--format ${format} needs --predictions FILE and --markets FILE`);
  }
  for (const file of [predictions, markets]) {
    if (!existsSync(file)) throw new UsageError(`there is no file ${file}; give --predictions FILE and --markets FILE`);
  }
  return { predictions, markets };
}

async function importAll({ tape, clock }: TapeModule, order: HistoryImport, shown: ProgressLine): Promise<TapeReport> {
  const isDry = order.isDry === true;
  const left = timeLeft(clock);
  const done = await tape.importHistory(order, (step, count, all) =>
    shown.update(step, count, all, left(all === 0 ? 1 : count / all)),
  );
  if (!isDry) for (const { fromS, toS } of done.whole) await markWhole(tape, { from: fromS, to: toS });
  const described = isDry || !('outcomes' in order.tokens) ? null : await describeMarkets({ tape, clock }, shown);
  const status = toReport(await tape.status());
  return {
    ok: done.isComplete,
    json: { ...status.json, ...toJson(done, isDry), ...(described === null ? {} : { markets_described: described }) },
    text: [
      toText(done, isDry, 'outcomes' in order.tokens),
      ...(described === null ? [] : [`${described} markets described by the venue`]),
      ...(done.isComplete ? [] : ['stopped; run the same command again to go on']),
      `the tape holds\n${status.text}`,
    ].join('\n'),
  };
}

/** Asks the venue for the markets of the fills, as a backfill does. */
async function describeMarkets({ tape, clock }: TapeModule, shown: ProgressLine): Promise<number> {
  const { facts } = openTapeSources(readVenueUrls(process.env), clock);
  const { described } = await createTapeMarkets({ tape, facts, clock }).refresh({
    progress: ({ asked, described: so }) => shown.update('markets', 0, 1, `${so} of ${asked} markets described`),
  });
  return described;
}

function toJson(done: HistoryReport, isDry: boolean) {
  return {
    dry_run: isDry,
    complete: done.isComplete,
    imported: {
      files: done.files,
      files_known: done.filesKnown,
      rows: done.rows,
      fills: done.fills,
      rows_of_unknown_tokens: done.unknownTokens,
      rows_without_trade: done.notTrades,
      markets: done.markets,
      markets_without_time: done.marketsUndated,
    },
  };
}

function toText(done: HistoryReport, isDry: boolean, isVenueAsked: boolean): string {
  const would = isDry ? 'would be ' : '';
  const existing = done.filesKnown === 0 ? '' : `, of which ${done.filesKnown} were imported before`;
  const { unknownTokens, notTrades, markets, marketsUndated } = done;
  const lines = [`${done.fills} fills ${would}imported from ${done.rows} rows of ${done.files} files${existing}`];
  if (unknownTokens + notTrades > 0) {
    const skipped = `${unknownTokens} rows are of tokens without a known market of two outcomes`;
    lines.push(`${skipped}, ${notTrades} are no trade of a wallet; these are left out`);
    if (isVenueAsked && unknownTokens > 0) {
      lines.push('the seconds of unknown tokens are not called whole; the same command asks for them again');
    }
  }
  if (markets > 0) lines.push(`${markets} markets ${would}imported`);
  if (marketsUndated > 0) {
    lines.push(`${marketsUndated} of them have a winner, but not since when: entries in them stay pending`);
  }
  return lines.join('\n');
}
