import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { decodeText } from '#domain/decode-text';
import { clientSystem } from '../../system.js';
import { EXIT } from '../exit-codes.js';
import { type CliWorld, ENV, type Screen } from './world.js';

/** More than any secret of ours; what is longer is not one. */
const SECRET_CHARS_MAX = 1_024;
/** What is no terminal is written as if it were one of this size. */
const USUAL_SIZE = { columns: 80, rows: 24 } as const;

/**
 * Returns the world of this process. Secrets are taken out of its environment, so that no crash
 * report shows them.
 */
export function processWorld(): CliWorld {
  const env = { ...process.env };
  for (const name of [ENV.key, ENV.token]) delete process.env[name];
  const ending = endAtSignals();
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    noticeLost(error);
    // What goes on after its first answer would buy others that reach no one.
    ending.abort(new Error('ended because standard output cannot be written'));
  });
  return {
    out: screenOf(process.stdout),
    err: screenOf(process.stderr),
    env,
    system: clientSystem,
    signal: ending.signal,
    readInput,
    readSecret,
  };
}

function screenOf(stream: WriteStream): Screen {
  stream.on('error', () => {});
  return {
    isTerminal: stream.isTTY === true,
    size: () => ({ columns: stream.columns || USUAL_SIZE.columns, rows: stream.rows || USUAL_SIZE.rows }),
    write: (text) => void stream.write(text),
    flushed: () =>
      new Promise((resolve, reject) => {
        stream.write('', (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** A reader that has gone (`| head`) is no fault of ours; an answer that a full disk did not take is. */
function noticeLost({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(`preflight: standard output cannot be written (${code})\n`);
  process.once('exit', (exitCode) => {
    if (exitCode === EXIT.ok) process.exitCode = EXIT.failure;
  });
}

/**
 * Aborts at the first Ctrl-C, so that the command can say what was charged; the second ends the
 * process at once.
 */
function endAtSignals(): AbortController {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => ending.abort(new Error(`ended by ${name}`)));
  }
  return ending;
}

async function readInput(bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) throw new Error(`standard input is longer than ${bytesMax} bytes`);
    chunks.push(chunk as Buffer);
  }
  return decodeText(Buffer.concat(chunks));
}

async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  // Only now: until the terminal is told not to, it shows what is typed or pasted.
  if (stdin.isTTY) stderr.write(`${name} (it is not shown): `);
  try {
    for await (const line of lines) return line.length <= SECRET_CHARS_MAX ? line.trim() : '';
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
