import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { openCredits } from '#compose/credits';
import { warnOfLock, watchStoreFile } from '#compose/store-file';
import { until } from '#test/support/live-verdicts';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { RecordedLog } from '#test/support/recorded-log';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { WAIT_MS } from '#test/support/time-limits';

const LOOK_MS = 250;

describe('the watch of the file of an open store', () => {
  let folder: string;
  let path: string;
  let timers: ManualTimers;
  let said: string[];
  let watch: ReturnType<typeof watchStoreFile>;

  beforeEach(() => {
    folder = join(tempFolder('file'), 'data');
    mkdirSync(folder);
    path = join(folder, 'credits.lmdb');
    writeFileSync(path, 'x'.repeat(8_192));
    timers = new ManualTimers(new ManualClock());
    said = [];
    watch = watchStoreFile(path, { timers, failStop: (sentence) => said.push(sentence) });
    watch.start?.();
  });
  afterEach(() => watch.stop?.());

  /** Resolves when it has looked again, and waits for the next time or has ended the process. */
  async function look(): Promise<void> {
    timers.advance(LOOK_MS);
    await until('a look', () => timers.waiting === 1 || said.length > 0);
    await soon();
  }

  const CHANGES: Record<string, { readonly change: () => void; readonly says: RegExp }> = {
    removed: { change: () => rmSync(path), says: /credits\.lmdb is not there any more while the service works on it/ },
    moved: { change: () => renameSync(path, `${path}.old`), says: /is not there any more/ },
    'moved with its folder': { change: () => renameSync(folder, `${folder}.broken`), says: /is not there any more/ },
    replaced: {
      change() {
        copyFileSync(path, `${path}.new`);
        renameSync(`${path}.new`, path);
      },
      says: /is another file now/,
    },
    'restored with its folder': {
      change() {
        renameSync(folder, `${folder}.broken`);
        mkdirSync(folder);
        copyFileSync(join(`${folder}.broken`, 'credits.lmdb'), path);
      },
      says: /is another file now/,
    },
    'cut short': { change: () => truncateSync(path, 4_096), says: /was cut short or written over/ },
  };
  for (const [what, { change, says }] of Object.entries(CHANGES)) {
    it(`ends the process, in one sentence, when it is ${what}`, async () => {
      await look();
      change();
      await look();
      expect(said).to.have.length(1);
      expect(said[0]).to.match(says).and.not.include('\n');
      expect(timers.waiting, 'no further look').to.equal(0);
    });
  }

  it('lets it grow', async () => {
    appendFileSync(path, 'more');
    await look();
    appendFileSync(path, 'more');
    await look();
    expect(said).to.deep.equal([]);
  });

  it('looks no more when the service has stopped', async () => {
    await look();
    watch.stop?.();
    rmSync(path);
    timers.advance(LOOK_MS);
    await soon();
    expect(said).to.deep.equal([]);
  });

  it('ends a process that goes on acknowledging, with 1 and nothing but that sentence', async () => {
    const script = `import { watchStoreFile } from '${join(ROOT, 'dist/src/server/compose/store-file.js')}';
      import { systemTimers } from '${join(ROOT, 'dist/src/server/adapters/process/system-timers.js')}';
      watchStoreFile(process.argv[1], { timers: systemTimers }).start();
      setInterval(() => undefined, 1_000);
      console.log('ready');`;
    const args = [...SHORT_LIVED, '--input-type=module', '-e', script, path];
    const child = spawn(process.execPath, args, { timeout: WAIT_MS });
    await once(child.stdout, 'data');
    rmSync(path);
    const [sentence, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).to.equal(1);
    expect(sentence).to.match(/^.*credits\.lmdb is not there any more while .*restored\n$/);
  });
});

describe('the log of a start', () => {
  it('says that a disk that hangs would stop every answer, where the lock of the store lies there', async function () {
    if (!existsSync('/dev/shm')) skipLoudly(this, 'no file system in memory at /dev/shm');
    const dataDir = tempFolder('lock');
    const log = new RecordedLog();
    const { store } = openCredits(dataDir);
    warnOfLock(join(dataDir, 'credits.lmdb'), log);
    expect(log.lines).to.deep.equal([]);
    await store.close();
    warnOfLock(join(dataDir, 'credits.lmdb'), log);
    expect(log.lines).to.have.length(1);
    expect(log.lines[0]).to.match(/^warn the lock of .*credits\.lmdb lies on disk, .* if the disk hangs no caller/);
  });
});
