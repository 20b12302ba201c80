import { existsSync } from 'node:fs';
import type { ImportReport } from '#ports/tape';
import { markWhole } from '#services/tape/whole-spans';
import { UsageError } from '../../exit.js';
import { startProgress } from '../progress.js';
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
    const shown = startProgress(clock);
    const order = { fills, markets, nowS: Math.floor(clock.nowMs() / 1e3), isDry };
    let done: ImportReport;
    try {
      const withReplaced = replace === undefined ? order : { ...order, replace };
      done = await tape.importCsv(withReplaced, (step, count, all) => shown.update(step, count, all));
      const { firstFillS, lastFillS } = done;
      if (!isDry && firstFillS !== null && lastFillS !== null) {
        await markWhole(tape, { from: firstFillS, to: lastFillS });
      }
    } finally {
      shown.stop();
    }
    const report = toReport(await tape.status());
    return {
      json: { ...report.json, ...toJson(done, isDry) },
      text: `${toText(done, isDry)}; the tape holds\n${report.text}`,
    };
  });
}

function toJson({ fills, isRepeated, fillsReplaced, markets, marketsKnown }: ImportReport, isDry: boolean) {
  const counts = { fills, repeated: isRepeated, fills_replaced: fillsReplaced, markets, markets_known: marketsKnown };
  return { dry_run: isDry, imported: counts };
}

function toText({ fills, isRepeated, fillsReplaced, markets, marketsKnown }: ImportReport, isDry: boolean): string {
  const would = isDry ? 'would be ' : '';
  const again = isRepeated ? ' (the same file as before: they count once)' : '';
  const replaced = fillsReplaced === 0 ? '' : `, ${fillsReplaced} fills ${would}replaced`;
  const known = `${marketsKnown} of them known before, and overridden`;
  return `${fills} fills ${would}imported${again}${replaced}; ${markets} markets ${would}imported, ${known}`;
}
