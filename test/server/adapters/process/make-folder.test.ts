import { lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '#adapters/process/make-folder';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';

const RIGHTS = 0o777;

describe('a folder that is made with its parents', () => {
  let dir: string;
  beforeEach(() => {
    dir = tempFolder('make-folder');
  });

  it('is there afterwards, also where some or all of it was', () => {
    for (const path of [join(dir, 'a'), join(dir, 'a', 'b', 'c'), join(dir, 'a'), `${dir}/y/`, '/']) {
      makeFolder(path);
      expect(lstatSync(path).isDirectory(), path).to.equal(true);
    }
    mkdirSync(join(dir, 'real'));
    symlinkSync(join(dir, 'real'), join(dir, 'link'));
    makeFolder(join(dir, 'link', 'below'));
    expect(lstatSync(join(dir, 'real', 'below')).isDirectory()).to.equal(true);
  });

  it('has the rights that are given, as have the parents that were not there', () => {
    makeFolder(join(dir, 'a', 'b'), 0o700);
    const rights = [join(dir, 'a'), join(dir, 'a', 'b')].map((path) => statSync(path).mode & RIGHTS);
    expect(rights).to.deep.equal([0o700, 0o700]);
  });

  it('is refused with the path at which it fails', () => {
    writeFileSync(join(dir, 'file'), '');
    symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling'));
    expect(() => makeFolder(join(dir, 'file'))).to.throw(`EEXIST: file already exists, mkdir '${join(dir, 'file')}'`);
    expect(() => makeFolder(join(dir, 'file', 'a', 'b'))).to.throw(/EEXIST.*\/file'/);
    expect(() => makeFolder(join(dir, 'dangling'))).to.throw(/EEXIST.*\/dangling'/);
  });

  it('is refused, too, where nothing can be made and Node tries for ever', function () {
    if (process.platform !== 'linux') skipLoudly(this, 'there is no /proc but on Linux');
    expect(() => makeFolder('/proc/preflight/data')).to.throw(/ENOENT.*'\/proc\/preflight'/);
  });
});
