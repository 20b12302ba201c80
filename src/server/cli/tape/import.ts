import { type Command, Option } from 'commander';
import { UsageError } from '../exit.js';
import { type CsvOptions, importCsvFiles } from './import/csv.js';
import { type HistoryOptions, importHistoryFiles } from './import/history.js';
import { withTapeOptions } from './run.js';

const FORMATS = ['csv', 'polymarket-users', 'orderfilled'] as const;

type ImportOptions = Partial<CsvOptions> &
  HistoryOptions & { readonly format: (typeof FORMATS)[number]; readonly fills?: string; readonly replace?: string };

/** Adds `tape import`. */
export function addImportCommand(tape: Command): void {
  withTapeOptions(tape.command('import'))
    .description('add an exported tape (CSV), or a data set of the past (Parquet); the same file again adds nothing')
    .argument('[files...]', 'files of a data set, or patterns such as "trades/**/*.parquet"')
    .addOption(new Option('--format <format>', 'what the files are').choices(FORMATS).default('csv'))
    .option('--fills <file>', 'csv: fills, one per row (.csv or .csv.gz)')
    .option('--markets <file>', 'markets with scheduled end and resolution; of a data set its markets.parquet')
    .option('--predictions <file>', 'of a data set: its predictions.parquet, tokens with their markets and winners')
    .option('--replace <name>', 'csv: take back the fills and markets that came from files of this name')
    .option('--dry-run', 'check the files and say what would be added and replaced')
    .action((files: readonly string[], options: ImportOptions) => importTape(files, options));
}

function importTape(files: readonly string[], options: ImportOptions): Promise<void> {
  const { format, fills, markets, predictions } = options;
  if (format === 'csv') {
    if (files.length > 0) throw new UsageError('FILES are for --format polymarket-users and orderfilled');
    if (fills === undefined || markets === undefined || predictions !== undefined) {
      throw new UsageError('--format csv needs --fills FILE and --markets FILE');
    }
    return importCsvFiles({ ...options, fills, markets });
  }
  if ((fills ?? options.replace) !== undefined) throw new UsageError('--fills and --replace are for --format csv');
  if (files.length === 0) throw new UsageError(`give the files: preflightctl tape import --format ${format} FILES…`);
  return importHistoryFiles(format, files, options);
}
