import { existsSync } from 'node:fs';
import type { ImportReport } from '#ports/tape';
import { UsageError } from '../../exit.js';
import { withProgress } from '../progress.js';
import { runTape, type TapeOptions } from '../run.js';
import { toReport } from '../status.js';

export type CsvOptions = TapeOptions & {
  readonly fills: string;
  readonly markets: string;
  readonly replace?: string;
  readonly dryRun?: boolean;
};

/** Imports an exported tape. */
export async function importCsvFiles(options: CsvOptions): Promise<void> {
  const { fills, markets, replace, dryRun: isDry = false } = options;
  for (const file of [fills, markets]) {
    if (!existsSync(file)) throw new UsageError(`there is no file ${file}; give --fills FILE and --markets FILE`);
  }
  await runTape(options, { makes: true, advice: 'nothing of that file was added' }, async ({ tape, clock }) => {
    const order = { fills, markets, nowS: Math.floor(clock.nowMs() / 1e3), isDry };
    const withReplaced = replace === undefined ? order : { ...order, replace };
    const done = await withProgress(clock, (shown) =>
      tape.importCsv(withReplaced, (step, count, all) => shown.update(step, count, all)),
    );
    const report = toReport(await tape.status());
    return {
      json: { ...report.json, ...toJson(done, isDry) },
      text: `${toText(done, isDry)}; the tape holds\n${report.text}`,
    };
  });
}

function toJson(done: ImportReport, isDry: boolean) {
  const counts = {
    fills: done.fills,
    repeated: done.isRepeated,
    fills_replaced: done.fillsReplaced,
    markets_replaced: done.marketsReplaced,
    markets: done.markets,
    markets_known: done.marketsKnown,
  };
  return { dry_run: isDry, imported: counts };
}

function toText(done: ImportReport, isDry: boolean): string {
  const { fills, isRepeated, fillsReplaced, marketsReplaced, markets, marketsKnown } = done;
  const would = isDry ? 'would be ' : '';
  const again = isRepeated ? ' (the same file as before: they count once)' : '';
  const gone = fillsReplaced + marketsReplaced;
  const replaced = gone === 0 ? '' : `, ${fillsReplaced} fills and ${marketsReplaced} markets ${would}replaced`;
  const existing = `${marketsKnown} of them known before, and overridden`;
  return `${fills} fills ${would}imported${again}${replaced}; ${markets} markets ${would}imported, ${existing}`;
}
