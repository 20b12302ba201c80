import type { Rows } from './raw.js';

/** A line of LMDB's list of readers: process, thread, number of the commit ("-" for none); the head is none. */
const LINE = /^ *(\d+) \S+ (\d+|-)$/gm;

/** A place that a process holds in the list of readers of an LMDB file. */
export interface Reader {
  readonly pid: number;
  /** The commit that it reads now; null: it reads nothing. */
  readonly commit: number | null;
}

/** Returns who is in the list of readers, this process included. */
export function readersOf(db: Pick<Rows, 'readerList'>): readonly Reader[] {
  return [...db.readerList().matchAll(LINE)].map(([, pid, commit]) => ({
    pid: Number(pid),
    commit: commit === '-' ? null : Number(commit),
  }));
}
