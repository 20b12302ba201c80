/** A terminal shows every step; a file gets a line every so often. */
const LINE_INTERVAL_MS = 30_000;

/**
 * Shows on stderr how many cells are done and broken and how long it will take; what is broken at
 * once and in full.
 */
export class CellProgress<Cell> {
  readonly #part: string;
  readonly #all: number;
  readonly #startedMs = performance.now();
  #done = 0;
  #broken = 0;
  #shownMs = 0;
  readonly #nameOf: (cell: Cell) => string;

  constructor(part: string, all: number, nameOf: (cell: Cell) => string) {
    this.#part = part;
    this.#all = all;
    this.#nameOf = nameOf;
  }

  readonly show = ({ cell, breaches }: { readonly cell: Cell; readonly breaches: readonly string[] }): void => {
    this.#done++;
    if (breaches.length > 0) this.#broken++;
    for (const breach of breaches) process.stderr.write(`\n  BROKEN ${this.#nameOf(cell)}: ${breach}\n`);
    const nowMs = performance.now();
    const isLast = this.#done === this.#all;
    if (process.stderr.isTTY) process.stderr.write(`\r  ${this.#text(nowMs)}${isLast ? '\n' : '   '}`);
    else if (isLast || nowMs - this.#shownMs > LINE_INTERVAL_MS) process.stderr.write(`  ${this.#text(nowMs)}\n`);
    else return;
    this.#shownMs = nowMs;
  };

  #text(nowMs: number): string {
    const left = this.#all - this.#done;
    const leftMs = ((nowMs - this.#startedMs) / this.#done) * left;
    const time = left === 0 ? '' : `, ${minutesText(leftMs / 60_000)} left`;
    return `${this.#part}: ${this.#done} of ${this.#all} cells, ${this.#broken} broken${time}`;
  }
}

/** Returns about how long, as "under a minute" or "about 12 min". */
export function minutesText(minutes: number): string {
  return minutes < 1 ? 'under a minute' : `about ${Math.round(minutes)} min`;
}
