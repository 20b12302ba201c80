/** Bytes that a program gave to the system for the file, at a place in it. */
export interface Write {
  readonly kind: 'write';
  readonly offset: number;
  readonly bytes: Buffer;
  /** Lines of the trace at which the call began and ended. */
  readonly began: number;
  readonly ended: number;
  /** Whether it ends only when the bytes are on the disk (O_DSYNC). */
  readonly isSynchronous: boolean;
}

/** A wait for all that was written before to be on the disk. */
interface Sync {
  readonly kind: 'sync';
  readonly began: number;
  readonly ended: number;
}

/** A line that the program printed. */
export interface Print {
  readonly kind: 'print';
  readonly words: readonly string[];
  readonly began: number;
}

export type SystemCall = Write | Sync | Print;

/** A call of strace's log, with its arguments as they are printed there. */
interface Line {
  readonly name: string;
  readonly fd: number;
  readonly args: string;
  readonly result: string;
  readonly began: number;
  readonly ended: number;
}

const WHOLE = /^\d+ +(\w+)\((.*)\) += (\S+)/;
const BEGUN = /^(\d+) +(\w+)\((.*?),? *<unfinished \.\.\.>$/;
const ENDED = /^(\d+) +<\.\.\. \w+ resumed>(.*)\) += (\S+)/;

/**
 * Reads what a program did to the file at `path` and what it printed, from a log of strace (-f -y
 * -xx), in the order in which the calls began. Throws at a call that it does not know how to play.
 */
export function readSystemCalls(log: string, path: string): readonly SystemCall[] {
  const file = `<${[...Buffer.from(path)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}>`;
  const positions = new Map<number, number>();
  const synchronous = new Set<number>();
  const calls: SystemCall[] = [];
  for (const line of linesOf(log)) {
    if (line.name === 'openat') {
      if (line.result.endsWith(file) && line.args.includes('O_DSYNC'))
        synchronous.add(Number.parseInt(line.result, 10));
      continue;
    }
    if (line.name === 'write' && line.fd === 1) {
      calls.push({ kind: 'print', words: bytesOf(line.args).toString().trim().split(' '), began: line.began });
      continue;
    }
    if (!line.args.includes(file)) continue;
    const { began, ended, fd } = line;
    if (line.name === 'mmap') {
      if (line.args.includes('PROT_WRITE')) throw new Error('the file is written through memory, which no trace shows');
    } else if (line.name === 'lseek') positions.set(fd, Number(line.result));
    else if (line.name.endsWith('sync')) calls.push({ kind: 'sync', began, ended });
    else if (line.result !== '-1') {
      const bytes = bytesOf(line.args);
      if (bytes.length !== Number(line.result)) throw new Error(`only a part of a write is known: ${line.name}`);
      const isPlaced = line.name.startsWith('p');
      const offset = isPlaced ? Number(/, (\d+)$/.exec(line.args)![1]) : positions.get(fd)!;
      if (!isPlaced) positions.set(fd, offset + bytes.length);
      calls.push({ kind: 'write', offset, bytes, began, ended, isSynchronous: synchronous.has(fd) });
    }
  }
  return calls.sort((a, b) => a.began - b.began);
}

/** In the order in which the calls ended. */
function* linesOf(log: string): Generator<Line> {
  const begun = new Map<string, { readonly name: string; readonly args: string; readonly began: number }>();
  for (const [at, text] of log.split('\n').entries()) {
    const whole = WHOLE.exec(text);
    if (whole !== null) yield lineOf(whole[1]!, whole[2]!, whole[3]!, at, at);
    const first = BEGUN.exec(text);
    if (first !== null) begun.set(first[1]!, { name: first[2]!, args: first[3]!, began: at });
    const last = ENDED.exec(text);
    const open = last === null ? undefined : begun.get(last[1]!);
    if (last === null || open === undefined) continue;
    begun.delete(last[1]!);
    yield lineOf(open.name, open.args + last[2]!, last[3]!, open.began, at);
  }
}

function lineOf(name: string, args: string, result: string, began: number, ended: number): Line {
  return { name, fd: Number.parseInt(args, 10), args, result, began, ended };
}

/** The bytes of all strings among the arguments. */
function bytesOf(args: string): Buffer {
  const texts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text]) => text!.replaceAll('\\x', ''));
  return Buffer.from(texts.join(''), 'hex');
}
