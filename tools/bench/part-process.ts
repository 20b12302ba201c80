import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Section } from './support/report.js';

/** The exit code of a part that was ended by Ctrl-C. */
export const ENDED_BY_USER = 130;

const PART = fileURLToPath(new URL('./part.js', import.meta.url));

/**
 * Runs a part in a process of its own: what one leaves behind, compiled code and a heap that has
 * grown, changes the figures of the next by more than most changes to the product do. Rejects where
 * it ends without a word.
 */
export async function runPart(name: string): Promise<Section> {
  // Figures may be NaN or infinite, which JSON has no words for.
  const part = fork(PART, [name], { serialization: 'advanced' });
  let section: Section | null = null;
  part.once('message', (message) => {
    section = message as Section;
  });
  // The part removes what it has on the disk first.
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    part.kill('SIGINT');
  };
  process.on('SIGINT', stop);
  const [code, signal] = await once(part, 'exit');
  process.off('SIGINT', stop);
  if (isStopped) process.exit(ENDED_BY_USER);
  if (section === null) throw new Error(`the part ${name} ended before it was done (${signal ?? code})`);
  return section;
}
