import { type Command, Option } from 'commander';
import { creditsPath, hasCredits } from '#compose/credits';
import { copyClock, copyToDatabase, filesOfKeys } from '#compose/store-copy';
import { maskedUrl } from '#domain/database-url';
import type { MigrationReport } from '#services/migrate-store/migrate-store';
import { printReport, type Report } from '../admin/run.js';
import { table } from '../admin/table.js';
import { UsageError } from '../exit.js';
import { requireStoreUrl } from '../store-url.js';
import { withProgress } from '../tape/progress.js';

interface CopyOptions {
  readonly from: string;
  readonly to?: string;
  readonly keysDir?: string;
  readonly json?: true;
}

/** The whole is read twice, and its kinds are copied one after the other. */
const PARTS = ['checking', 'copying', 'comparing'] as const;
const HASH_SHOWN = 16;

/** Adds `store copy`. */
export function addCopyCommand(store: Command): void {
  store
    .command('copy')
    .description('copy the store of a data directory into an empty PostgreSQL, or go on where that was interrupted')
    .addOption(new Option('--from <dir>', 'data directory; no service may work on it').makeOptionMandatory())
    .addOption(new Option('--to <url>', 'postgres://USER:PASSWORD@HOST:PORT/DATABASE').env('STORE_URL'))
    .addOption(new Option('--keys-dir <dir>', 'directory of its keys (default: that of --from)').env('KEYS_DIR'))
    .option('--json', 'print one JSON object')
    .action((options: CopyOptions) => copy(options));
}

async function copy(options: CopyOptions): Promise<void> {
  const { from: dataDir, to, keysDir = '' } = options;
  const url = requireStoreUrl(to === undefined ? {} : { storeUrl: to });
  if (!hasCredits(dataDir)) throw new UsageError(`there is no store at ${creditsPath(dataDir)}: correct --from`);
  const keys = keysDir === '' ? dataDir : keysDir;
  const report = await withProgress(copyClock, (shown) =>
    copyToDatabase({
      ...{ dataDir, keysDir: keys, url },
      onProgress: (doing, kind, rows) => shown.update(doing, PARTS.indexOf(doing), PARTS.length, `${rows} ${kind}`),
    }),
  );
  printReport(options, reportOf(report, url, filesOfKeys(keys)));
}

function reportOf(copied: MigrationReport, url: string, files: readonly string[]): Report {
  const rows = copied.map(({ kind, rows, hash }) => [kind, String(rows), hash.slice(0, HASH_SHOWN)]);
  return {
    json: { store: maskedUrl(url), copied, files },
    text: [
      table(['COPIED', 'ROWS', 'HASH'], rows),
      `${maskedUrl(url)}: all of it is there, the same on both sides, and adds up`,
      `no database has the keys: give each replica ${files.join(' and ')}`,
    ].join('\n\n'),
  };
}
