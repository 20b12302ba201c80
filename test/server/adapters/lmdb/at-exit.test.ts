import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { WAIT_MS } from '#test/support/time-limits';

const CHILD = join(ROOT, 'dist/test/server/adapters/lmdb/support/ending-child.js');

describe('a process with an LMDB store that ends', () => {
  let dir: string;
  beforeEach(() => {
    dir = tempFolder('end');
  });
  const endOf = async (when: string) => {
    const args = [...SHORT_LIVED, CHILD, join(dir, 'credits.lmdb'), when];
    const child = spawn(process.execPath, args, { timeout: WAIT_MS, killSignal: 'SIGTERM' });
    const [said, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { end: signal ?? code, said };
  };

  it('is ended by SIGKILL in the middle of a transaction, where it would wait for it for ever', async () => {
    expect(await endOf('during')).to.deep.equal({ end: 'SIGKILL', said: '' });
  });

  it('says what broke before it is', async () => {
    const { end, said } = await endOf('error');
    expect(end).to.equal('SIGKILL');
    expect(said).to.match(/^Error: something broke\n {4}at .*ending-child/);
  });

  it('ends with its code where it waits for the transaction, as the service does', async () => {
    expect(await endOf('beside')).to.deep.equal({ end: 3, said: '' });
  });

  it('ends with the code that it has when it has none under way', async () => {
    expect(await endOf('after')).to.deep.equal({ end: 3, said: '' });
  });
});
