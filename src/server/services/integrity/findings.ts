import { RESTORE, type StoreFault } from '#domain/integrity/fault';

/** A store that has more of them is told apart by its first ones. */
const FAULTS_LISTED_MAX = 1_000;

/** What a check is at, for people: a kind of row, and how many of them were seen. */
export type OnProgress = (kind: string, rows: number) => void;

/** Rows that were seen, by kind. */
export type RowCounts = Readonly<Record<string, number>>;

/** Gathers what a check finds and how much it has seen. Keeps the first faults, and counts all. */
export class Findings {
  readonly #faults: StoreFault[] = [];
  readonly #rows = new Map<string, number>();
  readonly #onProgress: OnProgress;
  readonly #malformed = new Set<string>();
  #faultsFound = 0;

  constructor(onProgress: OnProgress) {
    this.#onProgress = onProgress;
  }

  add(...faults: readonly StoreFault[]): void {
    this.#faultsFound += faults.length;
    this.#faults.push(...faults.slice(0, FAULTS_LISTED_MAX - this.#faults.length));
  }

  /** Adds rows that could not be understood. Several listings may come upon one: it counts once. */
  addMalformed(errors: readonly Error[]): void {
    for (const { message } of errors) {
      if (this.#malformed.has(message)) continue;
      if (this.#malformed.size < FAULTS_LISTED_MAX) this.#malformed.add(message);
      this.add(toFault(message));
    }
  }

  saw(kind: string, rows: number): void {
    const all = (this.#rows.get(kind) ?? 0) + rows;
    this.#rows.set(kind, all);
    this.#onProgress(kind, all);
  }

  get faults(): readonly StoreFault[] {
    return this.#faults;
  }

  get faultsFound(): number {
    return this.#faultsFound;
  }

  get rows(): RowCounts {
    return Object.fromEntries(this.#rows);
  }
}

const MALFORMED = /^row (.+?) is malformed: (.+?)(?:; ([^;]+))?$/;

/** Errors about a row name it, say what is wrong and what to do. */
function toFault(message: string): StoreFault {
  const [, row, what, remedy] = MALFORMED.exec(message.replace(/^store: /, '')) ?? [];
  if (row === undefined || what === undefined) return { where: 'store', what: message, remedy: RESTORE };
  return { where: `row ${row}`, what, remedy: remedy ?? RESTORE };
}
