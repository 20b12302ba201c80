import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '#domain/json';
import { makePrivateFolder } from '../../node/durable.js';
import type { GuardLine } from './guard-line.js';

/** A file that is as long is not written to any more: the next of its day is begun. */
const LOG_FILE_BYTES_MAX = 4 << 20;
/** Files that are kept: the oldest go. */
const LOG_FILES_MAX = 64;

/** A day of UTC, and which file of it. */
const NAME = /^(\d{4}-\d\d-\d\d)\.(\d{1,6})\.jsonl$/;

/** What was decided and what became of it, a JSON line each. */
export interface GuardLog {
  /** Appends a line, which is on disk when this returns. Throws if it cannot be. */
  append(line: GuardLine): void;
}

/** A log as files of a day, which all processes of one folder append to. */
export function fileGuardLog(folder: string): GuardLog {
  return {
    append(line) {
      makePrivateFolder(folder);
      const day = new Date(line.at_ms).toISOString().slice(0, 10);
      const path = join(folder, fileFor(folder, day));
      const file = openSync(path, 'a+', 0o600);
      try {
        // One write, so that lines of several processes do not mix.
        const text = Buffer.from(`${endsTorn(file) ? '\n' : ''}${JSON.stringify(line)}\n`);
        if (writeSync(file, text) < text.length) throw new Error(`${path} has no room for a line`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Whether the last line was left torn: what comes after it begins on a new line. */
function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}

function fileFor(folder: string, day: string): string {
  const names = logNames(folder);
  const last = names.filter((name) => name.startsWith(day)).at(-1);
  if (last !== undefined && statSync(join(folder, last)).size < LOG_FILE_BYTES_MAX) return last;
  const part = last === undefined ? 0 : Number(NAME.exec(last)![2]) + 1;
  for (const name of names.slice(0, Math.max(0, names.length + 1 - LOG_FILES_MAX))) {
    rmSync(join(folder, name), { force: true });
  }
  return `${day}.${part}.jsonl`;
}

/** Names of the files of a log, the oldest first. */
function logNames(folder: string): readonly string[] {
  const partOf = (name: string) => Number(NAME.exec(name)![2]);
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort((a, b) => a.slice(0, 10).localeCompare(b.slice(0, 10)) || partOf(a) - partOf(b));
}

/** Returns the lines of a log since a moment, oldest first. What a killed process left torn is left out. */
export function readGuardLog(folder: string, sinceMs: number): readonly GuardLine[] {
  if (!existsSync(folder)) return [];
  const sinceDay = new Date(sinceMs).toISOString().slice(0, 10);
  return logNames(folder)
    .filter((name) => name.slice(0, 10) >= sinceDay)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .map((line) => parseObject(line) as GuardLine | null)
    .filter((line) => line !== null && typeof line.at_ms === 'number' && line.at_ms >= sinceMs) as GuardLine[];
}
