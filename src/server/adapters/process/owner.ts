import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const ROOT_USER = 0;
/** What this process has open, by number. */
const OPENED = '/proc/self/fd';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Root acts as the owner of a folder from here on: the service, which is another user, could not
 * read what root had written there, for it is closed to all others. Throws where the owner cannot
 * get to the folder by its path.
 */
export function actAsOwner(dir: string): void {
  const owner = otherOwnerOf(dir);
  if (owner === null) return;
  if (!as(owner, () => isReached(dir))) {
    const closed = `the owner of ${dir} cannot get to it by its path, as where it lies in /var/lib/private`;
    throw new Error(`${closed}: useradd --system preflight, and give the unit User=preflight in place of DynamicUser=`);
  }
  become(owner);
}

/**
 * Runs this as the owner of a folder, if root does so: a link that the owner put there then leads
 * root to nothing that the owner could not reach. Root stays root where the owner cannot get to the
 * folder by its path, as under /var/lib/private. It is the whole process that is the owner
 * meanwhile, so `work` is not to wait for anything.
 */
export function asOwnerOf<T>(dir: string, work: () => T): T {
  const owner = otherOwnerOf(dir);
  return owner !== null && as(owner, () => isReached(dir)) ? as(owner, work) : work();
}

/**
 * Opens a file to read and write, and makes it if it is not there: for the owner of `like`, also
 * where root does so. Throws where the name is a link: whoever may write to the folder can let one
 * lead to any file.
 */
export function openOwn(path: string, like: string): number {
  const file = openNoLink(path, constants.O_RDWR | constants.O_CREAT);
  const [made, owner] = [fstatSync(file), statSync(like)];
  // A second name may be that of a file elsewhere.
  if (process.geteuid?.() === ROOT_USER && made.uid !== owner.uid && made.nlink === 1) {
    fchownSync(file, owner.uid, owner.gid);
  }
  return file;
}

/**
 * Opens a file below a folder to read it, by what the owner of the folder may read. Where root stays
 * root, throws if it is reached by a link.
 */
export function openToRead(dir: string, path: string): number {
  return asOwnerOf(dir, () => {
    // Who opens a pipe waits for its other end.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK;
    if (otherOwnerOf(dir) === null) return onlyFile(path, openSync(path, flags));
    if (!isBelow(realpathSync(dir), realpathSync(dirname(path)))) throw new Error(`${path} lies outside ${dir}`);
    return onlyFile(path, openNoLink(path, flags));
  });
}

/** What is no file may never end. */
function onlyFile(path: string, opened: number): number {
  if (fstatSync(opened).isFile()) return opened;
  closeSync(opened);
  throw new Error(`${path} is no file: remove it`);
}

/**
 * Gives a folder that root made, and all in it, to the owner of another, who may have put something
 * else in its place: it is held open, and what lies in it is reached through that (on Linux; on
 * other systems nothing is given).
 */
export function giveToOwnerOf(dir: string, made: string): void {
  const owner = otherOwnerOf(dir);
  if (owner === null || !existsSync(OPENED)) return;
  const folder = openNoLink(made, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    if (fstatSync(folder).uid !== ROOT_USER) throw new Error(`${made} is not what root made`);
    const path = `${OPENED}/${folder}`;
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    for (const name of names) lchownSync(join(path, name), owner.uid, owner.gid);
    fchownSync(folder, owner.uid, owner.gid);
  } finally {
    closeSync(folder);
  }
}

function openNoLink(path: string, flags: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw linkAt(path);
  }
}

/** Throws where root, which stays root, would follow a link that another user may have put there. */
export function refuseLink(path: string): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink && otherOwnerOf(dirname(path)) !== null) throw linkAt(path);
}

function linkAt(path: string): Error {
  return new Error(`${path} is a link, which may lead to any file: remove it`);
}

/** Whether a path is that of a folder, or of what lies in it. */
export function isBelow(dir: string, path: string): boolean {
  return relative(dir, path).split(sep)[0] !== '..';
}

/** null: this process is not root, or the folder is root's or not there. */
function otherOwnerOf(dir: string): Owner | null {
  if (process.geteuid?.() !== ROOT_USER) return null;
  const owner = statSync(dir, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === ROOT_USER ? null : owner;
}

/** The groups of root go as well: a file may be theirs to write. */
function become({ uid, gid }: Owner): void {
  process.setgroups!([gid]);
  process.setegid!(gid);
  process.seteuid!(uid);
}

function as<T>(owner: Owner, work: () => T): T {
  const [ownGroup, ownGroups] = [process.getegid!(), process.getgroups!()];
  become(owner);
  try {
    return work();
  } finally {
    process.seteuid!(ROOT_USER);
    process.setegid!(ownGroup);
    process.setgroups!(ownGroups);
  }
}

function isReached(dir: string): boolean {
  try {
    statSync(`${dir}/.`);
    return true;
  } catch {
    return false;
  }
}
