import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backUp } from '#compose/backup';
import { openCredits } from '#compose/credits';
import { renewStoreKey } from '#compose/renew-store-key';
import { toChecksum } from '#config/checksum';
import { EnvSchema } from '#config/env-schema';
import { POLYMARKET } from '#config/venue-urls';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';

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

  it('has what operators find in a data directory after a backup and a renewal of the key', async () => {
    const dataDir = join(tempFolder('data-directory'), 'data');
    await openCredits(dataDir).store.close();
    await backUp(`${dataDir}.copy`, { dataDir, keysDir: dataDir, withTape: true, onStep: () => undefined });
    await renewStoreKey({ dataDir, keysDir: dataDir, storeUrl: null }, false);
    const [, directory = ''] = /^## The data directory$(.*)/ms.exec(page) ?? [];
    const named = [...directory.matchAll(/`([a-z][\w.<>-]+)/g)].map(([, name]) => name!);
    const found = readdirSync(dataDir).map((name) => name.replace(/\.\d+\.old$/, '.<ms>.old'));
    expect(found).to.include.members(['last-backup.json', 'store.key.<ms>.old']);
    // Of locks the page names some, and the like.
    expect(found.filter((name) => !/-(guard|lock)/.test(name) && !named.includes(name))).to.deep.equal([]);
  });
});
