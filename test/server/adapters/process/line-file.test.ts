import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lineFile } from '#adapters/process/line-file';
import { tempFolder } from '#test/support/temp-folder';

describe('a file of lines', () => {
  it('has what was appended, also after a line that a crash has cut off', async () => {
    const path = join(tempFolder('lines'), 'lines');
    const file = lineFile(path);
    expect(await file.read()).to.deep.equal([]);
    await file.append(['a', 'b']);
    appendFileSync(path, '\n{"cut');
    await lineFile(path).append(['c']);
    expect(await file.read()).to.deep.equal(['a', 'b', '{"cut', 'c']);
    await file.replace(['d']);
    await file.append(['e']);
    expect(await file.read()).to.deep.equal(['d', 'e']);
  });
});
