import type { LineFile } from '#ports/line-file';

interface KeptLinesOptions {
  /** So many of the newest are wanted. The file holds at most twice as many. */
  readonly linesMax: number;
  readonly onError: (error: unknown) => void;
}

/** The newest lines of a file. */
export interface KeptLines {
  read(): Promise<readonly string[]>;
  /** Keeps one more. Waits for no disk: while a write is under way, lines wait, the newest of them. */
  add(line: string): void;
}

export function keptLines(file: LineFile, { linesMax, onError }: KeptLinesOptions): KeptLines {
  let newest: readonly string[] = [];
  let waiting: readonly string[] = [];
  let inFile = 0;
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.length > 0) {
        const lines = waiting;
        waiting = [];
        const isFull = inFile + lines.length > 2 * linesMax;
        if (isFull) await file.replace(newest);
        else await file.append(lines);
        inFile = isFull ? newest.length : inFile + lines.length;
      }
    } catch (error) {
      onError(error);
    } finally {
      isWriting = false;
    }
  }

  return {
    async read() {
      const lines = await file.read();
      inFile += lines.length;
      newest = [...lines, ...newest].slice(-linesMax);
      return newest;
    },
    add(line) {
      newest = [...newest, line].slice(-linesMax);
      waiting = [...waiting, line].slice(-linesMax);
      if (!isWriting) void write();
    },
  };
}
