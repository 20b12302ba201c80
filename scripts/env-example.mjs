import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes deploy/.env.example from the table of docs/configuration.md, which a test compares with
 * the schema of the settings. With `--print` it goes to the standard output instead, for the test
 * that compares the file with it.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const [, variables = ''] = /^## Variables$(.*?)^Rules that/ms.exec(page) ?? [];
const rows = variables.split('\n').filter((line) => line.startsWith('| `'));

/** What an operator has to say comes first, with what it may look like. */
const REQUIRED = {
  BASE_URL: 'https://preflight.example',
  PAYEE_ADDRESS: '',
  FACILITATOR_URLS: '',
  BASE_RPC_URLS: '',
  SUPPORT_EMAIL: '',
};

const settings = rows.flatMap((row) => {
  const [names, meaning, fallback] = row.slice(2, -2).split(' | ');
  return [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => ({ name, meaning, fallback }));
});
const plain = (text) => text.replaceAll('`', '');
const required = settings.filter(({ name }) => name in REQUIRED);
const others = settings.filter(({ name }) => !(name in REQUIRED));

const text = [
  '# Settings of the service (docs/configuration.md). Keep this file to yourself: it may hold keys.',
  '',
  '# Required:',
  ...required.flatMap(({ name, meaning }) => ['', `# ${plain(meaning)}`, `${name}=${REQUIRED[name]}`]),
  '',
  '# With their defaults:',
  ...others.flatMap(({ name, meaning, fallback }) => [
    '',
    `# ${plain(meaning)}; default: ${plain(fallback)}`,
    `#${name}=`,
  ]),
  '',
].join('\n');

if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(join(ROOT, 'deploy/.env.example'), text);
