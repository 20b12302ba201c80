import type { Command } from 'commander';
import { lookAtTables, migrateTables, type TablesLook } from '#compose/postgres';
import { maskedUrl } from '#domain/database-url';
import { printReport, type Report } from '../admin/run.js';
import { requireStoreUrl, type StoreUrlOption, withStoreUrl } from '../store-url.js';

interface MigrateOptions extends StoreUrlOption {
  readonly check?: true;
  readonly json?: true;
}

/** Adds `store migrate`. */
export function addMigrateCommand(store: Command): void {
  withStoreUrl(store.command('migrate'))
    .description('make the tables of a PostgreSQL store, or bring them to the version of this program')
    .option('--check', 'only look; exit code 1 if they are of another version')
    .option('--json', 'print one JSON object')
    .action(async (options: MigrateOptions) => {
      const url = requireStoreUrl(options);
      printReport(options, options.check === true ? await look(url) : await migrate(url));
    });
}

async function migrate(url: string): Promise<Report> {
  const { from, to } = await migrateTables(url);
  const did = from === to ? 'are of' : from === null ? 'were made, of' : `were brought from version ${from} to`;
  return {
    json: { store: maskedUrl(url), from_version: from, version: to },
    text: `${maskedUrl(url)}: the tables ${did} version ${to}`,
  };
}

async function look(url: string): Promise<Report> {
  const found = await lookAtTables(url);
  const isDone = found.kind === 'current';
  return {
    json: { store: maskedUrl(url), version: found.version, known_version: found.supported, current: isDone },
    text: `${maskedUrl(url)}: ${sentence(found)}`,
    isDone,
  };
}

function sentence({ kind, version, supported }: TablesLook): string {
  switch (kind) {
    case 'current':
      return `the tables are of version ${version}, which is that of this program`;
    case 'absent':
      return 'there are no tables yet: run `preflightctl store migrate`';
    case 'older':
      return `the tables are of version ${version}, this program knows ${supported}: run \`preflightctl store migrate\``;
    case 'newer':
      return `the tables are of version ${version}, this program knows ${supported}: use the program that made them`;
  }
}
