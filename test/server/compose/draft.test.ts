import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Host, systemHost } from '#adapters/process/host';
import { beginDraft, discard, putInPlace } from '#compose/draft';
import { Problem } from '#domain/errors';
import { rejectionOf } from '#test/support/promises';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';

const [HERE, ENDED, RUNS] = [11, 12, 13];
const NOBODY = 65_534;

describe('a draft of a folder', () => {
  let dir: string;
  const host: Host = { ...systemHost, pid: HERE, pidSpace: 'pid:[1]', hasEnded: (pid) => pid === ENDED };
  const asIs = (names: readonly string[]) => names;
  beforeEach(() => {
    dir = tempFolder('draft');
  });

  /** What a process that was killed leaves of a folder of that name. */
  async function leave(name: string, by: Partial<Host>): Promise<string> {
    const elsewhere = tempFolder('left', dir);
    const { path } = await beginDraft(join(elsewhere, name), { ...host, ...by });
    const left = join(dir, path.slice(elsewhere.length));
    mkdirSync(left);
    writeFileSync(join(left, 'store.key'), 'secret');
    return left;
  }

  it('of a process that has ended is removed, whatever it was to be, and no other', async () => {
    const ended = await leave('monday', { pid: ENDED });
    const ofSameNumber = await leave('tuesday', { pid: HERE });
    const running = await leave('wednesday', { pid: RUNS });
    const ofAnotherContainer = await leave('thursday', { pid: ENDED, pidSpace: 'pid:[2]' });
    const ofAnotherStart = await leave('friday', { pid: ENDED, bootId: 'before' });
    const ofOthers = join(dir, '.saturday.making');
    mkdirSync(ofOthers);
    await discard(await beginDraft(join(dir, 'sunday'), host));
    expect([ended, ofSameNumber].filter((path) => existsSync(path))).to.deep.equal([]);
    const kept = [running, ofAnotherContainer, ofAnotherStart, ofOthers];
    expect(kept.filter((path) => !existsSync(path))).to.deep.equal([]);
  });

  it('is refused where no folder can be made', async function () {
    if (process.platform !== 'linux') skipLoudly(this, 'there is no /proc but on Linux');
    expect((await rejectionOf(beginDraft('/proc/preflight/monday', host))).message).to.match(/^ENOENT: .*'\/proc/);
  });

  it('whose process cannot be asked is removed when nothing was begun in it for a day', async () => {
    const left = await leave('monday', { pid: RUNS, bootId: 'before' });
    const hoursAgo = (hours: number) => Date.now() / 1e3 - hours * 3_600;
    for (const [hours, isThere] of [
      [23, true],
      [25, false],
    ] as const) {
      utimesSync(left, hoursAgo(hours), hoursAgo(hours));
      await discard(await beginDraft(join(dir, 'tuesday'), host));
      expect(existsSync(left), `${hours} h`).to.equal(isThere);
    }
  });

  it('of a process that goes on is left to it, however old a clock that was set makes it', async () => {
    const running = await leave('monday', { pid: RUNS });
    utimesSync(running, 1, 1);
    await discard(await beginDraft(join(dir, 'tuesday'), host));
    expect(existsSync(running)).to.equal(true);
  });

  it('of another user is left to that user', async function () {
    if (process.getuid?.() !== 0) skipLoudly(this, 'only root can make a folder of another user');
    const left = await leave('monday', { pid: ENDED });
    chownSync(left, NOBODY, NOBODY);
    await discard(await beginDraft(join(dir, 'tuesday'), host));
    expect(existsSync(left)).to.equal(true);
  });

  it('in a folder that is there is removed where it is alone, and explains what lies beside it', async () => {
    const monday = join(dir, 'monday');
    mkdirSync(monday);
    const killed = await beginDraft(monday, { ...host, pid: ENDED });
    await discard(killed);
    mkdirSync(killed.path);
    const draft = await beginDraft(monday, host);
    expect(existsSync(killed.path)).to.equal(false);

    writeFileSync(join(monday, 'store.key'), 'secret');
    const refusal = (await rejectionOf(beginDraft(monday, host))).message;
    expect(refusal).to.include(`${draft.path} is of a backup or restore that runs or was interrupted`);
    expect(existsSync(draft.path)).to.equal(true);
  });

  it('that cannot be put in place leaves nothing of itself, and what others put there', async () => {
    const monday = join(dir, 'monday');
    mkdirSync(monday);
    const fails = await beginDraft(monday, host);
    for (const name of ['a', 'b']) writeFileSync(join(fails.path, name), name);
    const breaks = (_: string, to: string) =>
      to.endsWith('b') ? Promise.reject(new Error('full')) : Promise.resolve();
    expect((await rejectionOf(putInPlace(fails, asIs, breaks))).message).to.equal('full');
    expect(readdirSync(monday)).to.deep.equal([]);

    const late = await beginDraft(monday, host);
    writeFileSync(join(late.path, 'a'), 'a');
    writeFileSync(join(monday, 'credits.lmdb'), 'begun meanwhile');
    expect((await rejectionOf(putInPlace(late, asIs))).message).to.match(/is not empty any more: credits\.lmdb/);
    expect(readdirSync(monday)).to.deep.equal(['credits.lmdb']);
  });

  it('is refused in place of a file, or of a link that leads nowhere', async () => {
    const [file, link] = [join(dir, 'file'), join(dir, 'link')];
    writeFileSync(file, '');
    symlinkSync(join(dir, 'nowhere'), link);
    for (const path of [file, link, `${link}/`]) {
      const refusal = await rejectionOf(beginDraft(path, host));
      expect(refusal).to.be.instanceOf(Problem);
      expect(refusal.message).to.equal(`${path} is no folder: name one that is empty, or none yet.`);
    }
    expect(readdirSync(dir).toSorted()).to.deep.equal(['file', 'link']);
  });

  it('that another has overtaken is refused as it would be from then on, and leaves nothing', async () => {
    const monday = join(dir, 'monday');
    const [first, second] = [await beginDraft(monday, host), await beginDraft(monday, { ...host, pid: RUNS })];
    for (const { path } of [first, second]) writeFileSync(join(path, 'a'), path);
    await putInPlace(first, asIs);
    const refusal = await rejectionOf(putInPlace(second, asIs));
    expect(refusal).to.be.instanceOf(Problem);
    expect(refusal.message).to.equal(`${monday} is not empty: name a folder that is, or none yet.`);
    expect(readFileSync(join(monday, 'a'), 'utf8')).to.equal(first.path);
    expect(readdirSync(dir)).to.deep.equal(['monday']);
  });
});
