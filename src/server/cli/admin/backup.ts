import { type Command, Option } from 'commander';
import { type BackupOptions, backUp, type CheckedBackup, restore } from '#compose/backup';
import { UsageError } from '../exit.js';
import { type AdminOptions, locationOf, printReport, type Report, withAdminOptions } from './run.js';

interface BackUpOptions extends AdminOptions {
  readonly to: string;
  readonly tape: boolean;
  readonly crashAt?: string;
}

interface RestoreOptions extends AdminOptions {
  readonly from: string;
  readonly crashAt?: string;
}

/** Adds `backup` and `restore`. */
export function addBackupCommands(admin: Command): void {
  withAdminOptions(admin.command('backup'))
    .description('copy a data directory, also while the service runs, and check the copy')
    .requiredOption('--to <dir>', 'an empty folder, or none yet; it will be as secret as the data directory')
    .option('--no-tape', 'leave the trades out, which are the most of it: ratings then need the tape from elsewhere')
    .addOption(crashAtOption())
    .action((options: BackUpOptions) => runBackup(options));
  withAdminOptions(admin.command('restore'))
    .description('make a data directory of a backup, at once and whole')
    .requiredOption('--from <dir>', 'a folder that `backup` made')
    .addOption(crashAtOption())
    .action((options: RestoreOptions) => runRestore(options));
}

function crashAtOption(): Option {
  return new Option('--crash-at <point>', 'for tests').env('CRASH_AT').hideHelp();
}

async function runBackup(options: BackUpOptions): Promise<void> {
  const { dataDir, keysDir } = embeddedLocation(options);
  const { to, tape: withTape, crashAt } = options;
  const backup = await backUp(to, { dataDir, keysDir, withTape, crashAt, onStep: printStep });
  const { path, fault } = backup;
  printReport(options, reportOf(backup, `${path} holds the ${fault === undefined ? 'backup' : 'copy'}`));
  if (fault !== undefined) process.stderr.write(`error: ${path} is no backup: ${fault}\n`);
}

async function runRestore(options: RestoreOptions): Promise<void> {
  const { dataDir, keysDir } = embeddedLocation(options);
  const { from, crashAt } = options;
  const backup = await restore(from, dataDir, { crashAt, onStep: printStep });
  const report = reportOf(backup, `${dataDir} is the backup of ${backup.madeAt}`);
  const keys = keysDir === dataDir ? '' : `\nits keys are there too: move them to ${keysDir}`;
  printReport(options, { ...report, text: report.text + keys });
}

function embeddedLocation(options: AdminOptions): Pick<BackupOptions, 'dataDir' | 'keysDir'> {
  const { storeUrl, ...location } = locationOf(options);
  if (storeUrl === null) return location;
  throw new UsageError(
    'credits and ratings are in a database: back it up with its own tools (pg_dump), and KEYS_DIR beside',
  );
}

function printStep(step: string): void {
  process.stderr.write(`${step} …\n`);
}

function reportOf({ path, madeAt, version, files, check }: CheckedBackup, what: string): Report {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const sound = check.faultsFound === 0;
  const size = `${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`;
  const verdict = sound
    ? 'every row was checked'
    : `${check.faultsFound} rows contradict others: preflightctl store check`;
  return {
    json: { path, made_at: madeAt, version, files: files.length, bytes, sound, faults_found: check.faultsFound },
    text: `${what}: ${size}; ${verdict}`,
    isDone: sound,
  };
}
