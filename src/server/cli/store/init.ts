import { type Command, Option } from 'commander';
import { beginStore } from '#compose/credits';
import { printReport } from '../admin/run.js';

interface InitOptions {
  readonly dataDir: string;
  readonly keysDir?: string;
  readonly json?: true;
}

/** Adds `store init`. */
export function addInitCommand(store: Command): void {
  store
    .command('init')
    .description('begin an empty store where the one of a data directory is lost; all that it held stays lost')
    .addOption(new Option('--data-dir <dir>', 'directory of the store').env('DATA_DIR').default('./data'))
    .addOption(new Option('--keys-dir <dir>', 'directory of its keys (default: that of the store)').env('KEYS_DIR'))
    .option('--json', 'print one JSON object')
    .action((options: InitOptions) => init(options));
}

async function init({ dataDir, keysDir = '', ...options }: InitOptions): Promise<void> {
  const { path, keyPath, keyId } = await beginStore({ dataDir, keysDir: keysDir === '' ? dataDir : keysDir });
  printReport(options, {
    json: { path, key: keyPath, key_id: keyId },
    text: `${path}: an empty store, with the key ${keyId} of ${keyPath}`,
  });
}
