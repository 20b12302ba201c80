import { ChildProcess } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startAnvil } from '#local/chain/anvil';
import { newChainDir } from '../support/chain-harness.js';

describe('an anvil that cannot be started', () => {
  const { kill } = ChildProcess.prototype;
  const killed: (number | undefined)[] = [];
  before(() => {
    ChildProcess.prototype.kill = function (this: ChildProcess, ...signal) {
      killed.push(this.pid);
      return this.pid !== undefined && kill.apply(this, signal);
    };
  });
  after(() => {
    ChildProcess.prototype.kill = kill;
  });

  it('is told of, and nothing is killed that has no process id', async () => {
    const path = join(newChainDir(), 'anvil');
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    expect(await startAnvil({ path })).to.deep.equal({
      kind: 'unavailable',
      why: `anvil at ${path} does not start: spawn ${path} EACCES.`,
    });
    expect(killed).to.deep.equal([]);
  });
});
