import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import type { LineFile } from '#ports/line-file';

/** Returns the lines of a file. What a crash cut off in the middle of a line is a line of its own. */
export function lineFile(path: string): LineFile {
  return {
    async read() {
      try {
        return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    // Begins with a new line, which ends one that a crash has cut off.
    append: (lines) => appendFile(path, lines.map((line) => `\n${line}`).join('')),
    async replace(lines) {
      const draft = `${path}.new`;
      await writeFile(draft, lines.join('\n'));
      await rename(draft, path);
    },
  };
}
