import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { type LoopbackServer, startLoopbackServer } from '#test/support/loopback-server';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { unreachableOutside } from '#test/support/unreachable-outside';

/** A start that has not ended by then never will. */
const ENDS_MS = 20_000;

describe('a service that cannot start', function () {
  this.timeout(PROCESS_TEST_MS);
  let dir: string;
  let other: LoopbackServer;

  before(async () => {
    dir = tempFolder('start');
    other = await startLoopbackServer();
  });
  after(() => other?.close());

  /** What a start with these settings says before it ends, and with which code. */
  async function startWith(env: Readonly<Record<string, string>>): Promise<readonly [said: string, code: number]> {
    const args = [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/main.cjs')];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, timeout: ENDS_MS });
    child.stdout.resume();
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return [said, code];
  }

  it('says so and ends with 1 where its port is taken, though it is at work in its store by then', async () => {
    const [said, code] = await startWith(unreachableOutside(dir, new URL(other.baseUrl).port));
    expect(said).to.match(/^127\.0\.0\.1:\d+: cannot be listened at: something else listens there: .*\n$/);
    expect(code).to.equal(1);
  });

  for (const name of ['DATA_DIR', 'KEYS_DIR']) {
    it(`names ${name} and ends with 2 where it is no folder, and none can be made`, async () => {
      const file = join(dir, 'file');
      writeFileSync(file, '');
      // Where Node's own way to make a folder with its parents never ends.
      const nowhere = process.platform === 'linux' ? ['/proc/preflight/data'] : [];
      for (const path of [file, join(file, 'data'), ...nowhere]) {
        const [said, code] = await startWith({ ...unreachableOutside(join(dir, 'data'), 0), [name]: path });
        expect(said).to.match(new RegExp(`^the configuration has 1 fault:\n- ${name} cannot be made: .*\n$`));
        expect(code, path).to.equal(2);
      }
    });
  }
});
