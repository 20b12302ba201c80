import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TOOL_TEXTS } from '#api/tool-texts';
import { ROOT } from '#test/support/source-tree';
import { ROWS } from './other-clients/rows.js';
import { PAGE_HEAD } from './other-clients/table.js';

describe('docs/clients.md', () => {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const pins: Record<string, string> = JSON.parse(
    readFileSync(join(ROOT, 'tools/prove/clients/package.json'), 'utf8'),
  ).dependencies;

  it('has a row for all that is tried, at the version that is installed: npm run prove -- clients writes it', () => {
    const written = page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2);
    const cells = written.map((line) => line.slice(2, -2).split(' | '));
    expect(cells.map(([client, , tries]) => `${client}: ${tries}`)).to.deep.equal(
      ROWS.map(({ client, tries }) => `${client}: ${tries}`),
    );
    ROWS.forEach(({ npm }, at) => {
      if (npm !== undefined) expect(cells[at]![1], npm).to.equal(pins[npm]!.split('@').at(-1));
    });
  });

  it('begins as the command writes it, and has the tools that there are', () => {
    expect(page.startsWith(PAGE_HEAD)).to.equal(true);
    const counts = new Set([...page.matchAll(/works: (\d+) tools/g)].map(([, count]) => Number(count)));
    const tools = Object.keys(TOOL_TEXTS).length;
    expect([...counts].toSorted()).to.deep.equal([tools, tools + 1]);
  });

  it('is of programs at exact versions', () => {
    for (const [name, version] of Object.entries(pins)) expect(version, name).to.match(/^(npm:.*@)?\d+\.\d+\.\d+$/);
  });
});
