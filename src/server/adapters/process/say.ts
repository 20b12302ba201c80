import { writeSync } from 'node:fs';

/** Writes a text to standard error before anything else happens. Whoever reads it may be gone. */
export function say(text: string): void {
  try {
    writeSync(2, `${text}\n`);
  } catch {}
}
