import type { TapeModule, TapeSources } from '#compose/tape';
import type { WalletAddress } from '#domain/ids';
import { type BackfillReport, type BackfillTarget, backfillTrades } from '#services/tape/backfill';
import { BACKFILL_JOB } from '#services/tape/whole-spans';
import type { ProgressLine } from './progress.js';
import { isoSecond, type TapeReport } from './run.js';

/** Whose trades are wanted; those of all wallets if neither is given. */
export interface TargetLists {
  readonly markets?: readonly string[];
  readonly wallets?: readonly WalletAddress[];
}

/** Fetches trades by the Data API. */
export async function backfillFromData(work: BackfillWork, lists: TargetLists): Promise<TapeReport> {
  const { module, sources, fromS, toS, shown, signal } = work;
  const targets = toTargets(lists);
  const reports: BackfillReport[] = [];
  for (const [i, target] of targets.entries()) {
    if (signal.aborted) break;
    const report = await backfillTrades(
      { ...module, source: sources.source },
      target,
      { fromS, toS },
      {
        job: BACKFILL_JOB,
        signal,
        progress: ({ reachedS, pages, fills }) => {
          const done = i + (toS - (reachedS ?? toS)) / (toS - fromS);
          const note = `${fills} fills in ${pages} pages, back to ${isoSecond(reachedS) ?? 'now'}`;
          shown.update('trades', Math.min(i + 1, done) * 1_000, targets.length * 1_000, note);
        },
      },
    );
    reports.push(report);
  }
  return toReport(reports, targets.length);
}

function toTargets({ markets, wallets }: TargetLists): readonly BackfillTarget[] {
  if (markets === undefined && wallets === undefined) return [{ kind: 'feed' }];
  return [
    ...(markets ?? []).map((condition) => ({ kind: 'market', condition }) as const),
    ...(wallets ?? []).map((wallet) => ({ kind: 'wallet', wallet }) as const),
  ];
}

function toReport(reports: readonly BackfillReport[], targets: number): TapeReport {
  const sum = (count: (report: BackfillReport) => number) => reports.reduce((all, report) => all + count(report), 0);
  const [fills, pages, skipped] = [sum((one) => one.fills), sum((one) => one.pages), sum((one) => one.skipped)];
  const endsS = reports.find((report) => report.endsS !== null)?.endsS ?? null;
  const lines = [`${fills} fills in ${pages} pages; ${skipped} rows were not trades`];
  const lost = sum((one) => one.lost);
  if (lost > 0) lines.push(`${lost} stretches of time could not be read; a later run asks for them again`);
  if (endsS !== null) {
    const older = 'for older trades use --wallets, --markets or --source chain';
    lines.push(`the venue's feed goes back to ${isoSecond(endsS)}; ${older}`);
  }
  return {
    json: {
      source: 'data-api',
      fills,
      pages,
      skipped,
      complete: reports.length === targets && reports.every(({ complete }) => complete),
      feed_ends_at: isoSecond(endsS),
    },
    text: lines.join('\n'),
  };
}

/** What each way of fetching trades needs of the command. */
export interface BackfillWork {
  readonly module: TapeModule;
  readonly sources: TapeSources;
  /** In seconds. */
  readonly fromS: number;
  readonly toS: number;
  readonly shown: ProgressLine;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}
