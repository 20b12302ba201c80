import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#test/support/source-tree';

/** What came of a row. */
export interface Played {
  readonly client: string;
  readonly version: string;
  readonly tries: string;
  readonly result: 'works' | 'FAILS' | 'not run';
  readonly says: string;
}

const PAGE = join(ROOT, 'docs/clients.md');

const HEAD = `# Clients of others

Programs that we did not write, as they are, against the service on a local chain: what was tried with each, and what
came of it. \`npm run prove -- clients\` installs those of npm at the versions of \`tools/prove/clients/package.json\` into
a temporary folder, takes those of Debian as it finds them, and writes this page; the weekly workflow runs it. Each row
has a wallet of its own, and what left it is compared with the price. What is not installed, or wants the internet, is a
row that says so. The last rows are of clients of the venue: they read the simulated one in its place, and what they
tell is compared with what it holds.

| Client | Version | Tried | Result |
| --- | --- | --- | --- |
`;

/** Writes the page. */
export function writePage(rows: readonly Played[]): void {
  const lines = rows.map(({ client, version, tries, result, says }) =>
    [client, version, tries, says === '' ? result : `${result}: ${says}`].map(cellText).join(' | '),
  );
  writeFileSync(PAGE, `${HEAD}${lines.map((line) => `| ${line} |\n`).join('')}`);
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
