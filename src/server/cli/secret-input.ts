import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './exit.js';

/** More than any secret of ours; what is longer is not one. */
const SECRET_CHARS_MAX = 1_024;

/**
 * Reads a secret from standard input: piped in, or typed at a prompt that does not show it. It
 * never comes from the command line, which every user of the machine can read and shells keep.
 * Throws a UsageError if there is none.
 */
export async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  // Only now: until the terminal is told not to, it shows what is typed or pasted.
  if (stdin.isTTY) stderr.write(`${name}: `);
  try {
    for await (const line of lines) {
      const secret = line.trim();
      if (secret.length > 0 && secret.length <= SECRET_CHARS_MAX) return secret;
      break;
    }
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
  throw new UsageError(`the ${name} is read from standard input: pipe it in, or type it at the prompt`);
}
