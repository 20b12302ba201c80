import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readFreeze } from '#client/guard/state/freeze';
import { tempFolder } from '#test/support/temp-folder';

describe('a freeze whose file is damaged', () => {
  const DAMAGED = ['', 'not json', '[]', '{"at_ms":null}', '{"at_ms":"2026"}', '{"at_ms":1e18}', '{"at_ms":-1e300}'];
  for (const text of DAMAGED) {
    it(`stops entries since a moment that can be told: ${text}`, () => {
      const folder = join(tempFolder('freeze'), 'orders');
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, 'frozen.json'), text, { mode: 0o600 });
      expect(new Date(readFreeze(folder)!.atMs).toISOString()).to.equal('1970-01-01T00:00:00.000Z');
    });
  }
});
