/** Lines that are kept over restarts and may be lost: a file that only this process writes. */
export interface LineFile {
  /** Returns the lines that are there; none if there is no file yet. */
  read(): Promise<readonly string[]>;
  append(lines: readonly string[]): Promise<void>;
  /** Puts these in the place of all lines, whole or not at all. */
  replace(lines: readonly string[]): Promise<void>;
}
