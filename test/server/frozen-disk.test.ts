import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openCredits } from '#compose/credits';
import { freeLowPort } from '#local/free-low-port';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { unreachableOutside } from '#test/support/unreachable-outside';
import { untilListening } from '#test/support/until-listening';

/** Longer than any answer takes: a test that fails must not leave the disk frozen. */
const THAW_AFTER_MS = 20_000;
const LOOK_INTERVAL_MS = 100;
const CODE = 'FROZEN-1';

type Answer = readonly [status: number, body: { readonly code?: string }];

const NO_ANSWER: Answer = [0, { code: 'no answer before the thaw' }];

/** A file system of its own that can be frozen. */
interface Disk {
  readonly path: string;
  freeze(): void;
  thaw(): void;
  unmount(): void;
}

function makeDisk(): Disk {
  const folder = tempFolder('frozen');
  const [image, path] = [join(folder, 'disk.img'), join(folder, 'disk')];
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' });
  run('truncate', '-s', '64M', image);
  run('mkfs.ext4', '-q', image);
  mkdirSync(path);
  run('mount', '-o', 'loop', image, path);
  return {
    path,
    freeze: () => run('fsfreeze', '--freeze', path),
    thaw: () => run('fsfreeze', '--unfreeze', path),
    unmount: () => run('umount', '-l', path),
  };
}

describe('a service whose disk does not answer', function () {
  this.timeout(2 * PROCESS_TEST_MS);
  let disk: Disk;
  let child: ChildProcess;
  let url: string;
  let thawed: Promise<Answer>;
  let thaw: () => void = () => undefined;

  before(function () {
    try {
      disk = makeDisk();
    } catch {
      skipLoudly(this, 'a disk of its own can be mounted and frozen by root on Linux alone');
    }
  });
  after(() => disk?.unmount());

  beforeEach(async () => {
    await start();
    disk.freeze();
    thawed = new Promise((resolve) => {
      const late = setTimeout(() => thaw(), THAW_AFTER_MS);
      thaw = () => {
        clearTimeout(late);
        disk.thaw();
        thaw = () => undefined;
        resolve(NO_ANSWER);
      };
    });
  });
  afterEach(async () => {
    thaw();
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  async function start(): Promise<void> {
    const port = await freeLowPort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/main.cjs')], {
      env: { PATH: process.env.PATH, ...unreachableOutside(disk.path, port) },
      stdio: 'ignore',
    });
    await untilListening(`${url}/healthz`);
    const { credits, store } = openCredits(disk.path);
    await credits.createPromo({ code: CODE, credits: 10, walletsMax: 100, days: 30 });
    await store.close();
  }

  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    return [response.status, (await response.json()) as Answer[1]];
  };
  const answer = (path: string, init: RequestInit = {}) => Promise.race([thawed, call(path, init)]);
  const redemption = (n: number) =>
    [
      '/api/redeem',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: CODE, wallet: `0x${String(n).padStart(40, '0')}` }),
      },
    ] as const;

  it('answers what needs no write, and refuses what does', async () => {
    expect((await answer('/healthz'))[0]).to.be.oneOf([200, 500]);
    expect((await answer('/api/preflight_trade?sandbox=1'))[0]).to.equal(200);
    expect((await answer('/api/preflight_trade?slug=a&usd=1'))[0]).to.equal(402);
    const [status, body] = await answer(...redemption(1));
    expect({ status, code: body.code }).to.deep.equal({ status: 500, code: 'store_unavailable' });
    expect((await answer('/healthz'))[0]).to.equal(500);
    expect((await answer('/api/preflight_trade?sandbox=1'))[0]).to.equal(200);
    thaw();
  });

  it('takes no more connections once it is stopped, ends with the thaw, and has lost nothing', async () => {
    child.kill('SIGTERM');
    await Promise.race([thawed.then(() => Promise.reject(new Error('it listened until the thaw'))), untilRefused()]);
    const exit = once(child, 'exit');
    thaw();
    await exit;
    await start();
    expect((await call(...redemption(2)))[0]).to.equal(200);
  });

  async function untilRefused(): Promise<void> {
    while (
      await fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    )
      await sleep(LOOK_INTERVAL_MS);
  }
});
