import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';
import { ROWS } from './other-clients/rows.js';

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

  it('is of programs at exact versions', () => {
    for (const [name, version] of Object.entries(pins)) expect(version, name).to.match(/^(npm:.*@)?\d+\.\d+\.\d+$/);
  });
});
