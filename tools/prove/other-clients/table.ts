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

/** What the page begins with. */
export const PAGE_HEAD = `# Clients of others

For developers who already use an x402, MCP or Polymarket client: what was tried with each, unmodified, against the
service on a local chain. \`npm run prove -- clients\` installs the npm packages of \`tools/prove/clients/package.json\`
into a temporary folder, uses Debian's tools as installed, and writes this page. Each row has its own wallet, whose
balance is compared with the price. The last rows are clients of the venue, which read the simulated one.

| Client | Version | Tried | Result |
| --- | --- | --- | --- |
`;

/** Writes the page. */
export function writePage(rows: readonly Played[]): void {
  const lines = rows.map(({ client, version, tries, result, says }) =>
    [client, version, tries, says === '' ? result : `${result}: ${says}`].map(cellText).join(' | '),
  );
  writeFileSync(PAGE, `${PAGE_HEAD}${lines.map((line) => `| ${line} |\n`).join('')}`);
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
