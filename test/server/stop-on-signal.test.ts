import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SCRIPT = fileURLToPath(new URL('../support/stop-child.js', import.meta.url));
/** Never reached by a stop that works. */
const LONG_MS = 60_000;
const SHORT_MS = 200;

interface Options {
  readonly msMax?: number;
  readonly linesToLog?: number;
}

describe('a signal to stop', () => {
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });

  /**
   * Starts a process whose stop `how` says, with standard output and standard error as pipes to
   * here.
   */
  async function start(how: string, { msMax = LONG_MS, linesToLog = 0 }: Options = {}) {
    const child = fork(SCRIPT, [how, String(msMax), String(linesToLog)], { silent: true });
    children.add(child);
    await once(child, 'message');
    const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    return { child, gone };
  }

  it('ends the process with 0 when it has stopped, and with 1 if it could not stop cleanly', async () => {
    for (const [how, code] of [
      ['ends', 0],
      ['fails', 1],
    ] as const) {
      const { child, gone } = await start(how);
      child.kill('SIGTERM');
      expect(await gone, how).to.deep.equal([code, null]);
    }
  });

  for (const how of ['hangs', 'blocks']) {
    it(`ends the process at the limit if its stop ${how}`, async () => {
      const { child, gone } = await start(how, { msMax: SHORT_MS });
      child.kill('SIGTERM');
      expect(await gone).to.deep.equal([null, 'SIGKILL']);
    });
  }

  it('ends the process at once when it comes a second time', async () => {
    const { child, gone } = await start('hangs');
    child.kill('SIGTERM');
    await once(child.stdout!, 'data');
    child.kill('SIGINT');
    expect(await gone).to.deep.equal([null, 'SIGKILL']);
  });

  it('ends the process whose standard output and error nobody reads any more', async () => {
    const { child, gone } = await start('ends');
    child.stdout!.destroy();
    child.stderr!.destroy();
    child.kill('SIGTERM');
    expect(await gone).to.deep.equal([0, null]);
  });

  it('ends the process whose log fills a pipe that nobody empties', async () => {
    const { child, gone } = await start('ends', { linesToLog: 5_000 });
    child.stdout!.pause();
    child.kill('SIGTERM');
    expect(await gone).to.deep.equal([0, null]);
  });
});
