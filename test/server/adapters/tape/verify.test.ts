import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { outsideErrorOf } from '#test/support/promises';
import { AS_OF_S, fillOf, marketOf, withTape } from '../support/tape-checks.js';

/** Returns the files of a tape that end so, relative to its folder. */
async function filesOf(dir: string, ending: RegExp): Promise<readonly string[]> {
  const names = await readdir(dir, { recursive: true });
  return names.filter((name) => ending.test(name)).sort();
}

describe('tape verification', () => {
  it('finds nothing in a sound tape, and names each file that was changed, cut short or lost', async () => {
    await withTape(async (tape, dir) => {
      await tape.addFills('a', [fillOf()]);
      await tape.addRows('markets', [marketOf()]);
      await tape.addRows('names', [{ wallet: '0xaaaa', name: 'A' }]);
      await tape.compact(AS_OF_S);
      await tape.addFills('b', [fillOf({ tx: '0x2' })]);
      await tape.saveProgress('job', 1);
      expect(await tape.verify()).to.deep.equal([]);
      const files = (await filesOf(dir, /\.parquet$/)).filter((file) => !file.includes('~1') || file.includes('b~1'));
      const counted = files.filter((file) => !/(markets|names).0/.test(file));
      expect(counted).to.have.lengthOf(7);
      for (const file of counted) {
        const path = join(dir, file);
        const whole = await readFile(path);
        const changed = Buffer.from(whole);
        changed[changed.length >> 1]! ^= 1;
        await writeFile(path, changed);
        expect(await tape.verify(), file).to.deep.equal([{ file, fault: 'its content is not what was written' }]);
        await truncate(path, 20);
        expect((await tape.verify()).map((fault) => fault.file)).to.deep.equal([file]);
        await rm(path);
        const isLost = file.includes('b~1') ? [] : [{ file, fault: 'it is missing' }];
        expect(await tape.verify()).to.deep.equal(isLost);
        await writeFile(path, whole);
      }
      await writeFile(join(dir, 'progress', 'job.json'), '{');
      expect((await tape.verify()).map(({ file }) => file)).to.deep.equal(['progress/job.json']);
      await writeFile(join(dir, 'manifest.json'), '{"version":1');
      expect((await tape.verify()).map(({ file }) => file)).to.include('manifest.json');
      const broken = await outsideErrorOf(tape.status());
      expect([broken.failure, broken.message]).to.deep.equal([
        'final',
        'tape: manifest.json is not whole; restore the folder of the tape from a copy',
      ]);
      await writeFile(join(dir, 'manifest.json'), '{"version":4}');
      expect((await outsideErrorOf(tape.status())).message).to.contain('version 4');
    });
  });
});
