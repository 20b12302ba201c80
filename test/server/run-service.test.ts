import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { type LoopbackServer, startLoopbackServer } from '#test/support/loopback-server';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { unreachableOutside } from '#test/support/unreachable-outside';

describe('a service that cannot start', function () {
  this.timeout(PROCESS_TEST_MS);
  let dir: string;
  let other: LoopbackServer;

  before(async () => {
    dir = tempFolder('start');
    other = await startLoopbackServer();
  });
  after(() => other?.close());

  it('says so and ends with 1 where its port is taken, though it is at work in its store by then', async () => {
    const env = unreachableOutside(dir, new URL(other.baseUrl).port);
    const args = [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/main.cjs')];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env } });
    child.stdout.resume();
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said).to.match(/^127\.0\.0\.1:\d+: cannot be listened at: something else listens there: .*\n$/);
    expect(code).to.equal(1);
  });
});
