import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { toChecksum } from '#config/checksum';
import { EnvSchema } from '#config/env-schema';
import { POLYMARKET } from '#config/venue-urls';
import { ROOT } from '#test/support/source-tree';

const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const [, variables = ''] = /^## Variables$(.*?)^## /ms.exec(page) ?? [];
const rows = variables.split('\n').filter((line) => line.startsWith('| `'));
const namesOf = (row: string) => [...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!);

describe('the page about the configuration', () => {
  it('has every variable of the schema, and no other', () => {
    expect(rows.flatMap(namesOf)).to.have.members(Object.keys(EnvSchema.shape));
  });

  it('has their defaults', () => {
    const defaults = EnvSchema.parse({ PREFLIGHT_PROFILE: 'live' });
    const USDC_ADDRESS = toChecksum(defaults.USDC_ADDRESS);
    const shown = { ...defaults, ...POLYMARKET, USDC_ADDRESS, PREFLIGHT_PROFILE: 'live' };
    for (const [name, value] of Object.entries(shown)) {
      if (value === undefined || Array.isArray(value)) continue;
      const row = rows.find((one) => namesOf(one).includes(name));
      expect(row?.split(' | ').at(-1), name).to.include(`\`${value}\``);
    }
  });
});
