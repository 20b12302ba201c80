import { join } from 'node:path';
import { expect } from 'chai';
import { readFreeze } from '#client/guard/state/freeze';
import { ordersFolder } from '#client/guard/state/guard-state';
import { tempFolder } from '#test/support/temp-folder';
import { runInProcess } from './support/test-world.js';

describe('a freeze from the command line', () => {
  const home = join(tempFolder('freeze'), 'home');
  const run = (...args: readonly string[]) => runInProcess([...args], { env: { PREFLIGHT_HOME: home } });

  it('is what guarded clients of this user find, with its reason, until it is lifted', async () => {
    expect((await run('freeze', '--reason', 'the book looks wrong')).stdout).to.match(
      /^entries are frozen since .+: the book looks wrong\n$/,
    );
    expect(readFreeze(ordersFolder(home))).to.include({ reason: 'the book looks wrong' });
    expect(JSON.parse((await run('freeze', '--json')).stdout)).to.nested.include({ frozen: true, 'freeze.reason': '' });
    expect((await run('unfreeze')).stdout).to.equal('entries pass\n');
    expect(readFreeze(ordersFolder(home))).to.equal(null);
    expect(JSON.parse((await run('unfreeze', '--json')).stdout)).to.deep.equal({
      ok: true,
      frozen: false,
      freeze: null,
    });
  });
});
