import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { z } from 'zod';

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]);
const EntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('send'), raw: hex, atS: z.int() }),
  z.strictObject({ kind: z.literal('blocks'), head: z.int(), atS: z.int() }),
]);

/**
 * Something that happens to the chain, at a chain time in seconds: a signed transaction, or empty
 * blocks up to a number.
 */
export type JournalEntry = z.infer<typeof EntrySchema>;

/**
 * An entry in the journal: in work until the chain is known to has it, or that the chain refused
 * it.
 */
export interface Journaled {
  /** The next dump holds it. */
  done(): void;
  /** It never happened. */
  drop(): void;
}

interface Line {
  readonly text: string;
  isDone: boolean;
}

/**
 * The chain on disk: a dump of its state and a journal of what came after. A transaction is in the
 * journal before it is sent, so that what anybody has seen on the chain is still there after kill
 * -9 of whatever process; a dump alone would lose what was settled since, and dumping after every
 * block costs more with every block. Both files change by renaming: half a dump is never read.
 * Power loss is not provided for.
 */
export class ChainFiles {
  readonly #stateFile: string;
  readonly #journalFile: string;
  #lines: Line[] = [];

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#stateFile = join(dir, 'state.gz');
    this.#journalFile = join(dir, 'journal.jsonl');
  }

  /** Entries since the last dump. */
  get length(): number {
    return this.#lines.length;
  }

  /**
   * Returns the last dump (null: there is none) and what came after it. A line cut off by the end
   * of a process did not happen.
   */
  read(): { readonly state: Hex | null; readonly journal: readonly JournalEntry[] } {
    const state: Hex | null = existsSync(this.#stateFile) ? `0x${readFileSync(this.#stateFile, 'hex')}` : null;
    const texts = existsSync(this.#journalFile) ? readFileSync(this.#journalFile, 'utf8').split('\n') : [];
    const whole = texts.slice(0, -1);
    this.#lines = whole.map((text) => ({ text, isDone: true }));
    return { state, journal: whole.map((text) => EntrySchema.parse(JSON.parse(text))) };
  }

  /** Writes the entry; what it describes may be done afterwards. */
  append(entry: JournalEntry): Journaled {
    const line = { text: JSON.stringify(entry), isDone: false };
    this.#lines.push(line);
    appendFileSync(this.#journalFile, `${line.text}\n`, { mode: 0o600 });
    return {
      done: () => {
        line.isDone = true;
      },
      drop: () => this.#keep((each) => each !== line),
    };
  }

  /** Writes a dump that holds all that is done, which the journal then need not hold. */
  save(state: Hex): void {
    replaceFile(this.#stateFile, Buffer.from(state.slice(2), 'hex'));
    this.#keep((line) => !line.isDone);
  }

  #keep(isStored: (line: Line) => boolean): void {
    this.#lines = this.#lines.filter(isStored);
    replaceFile(this.#journalFile, this.#lines.map(({ text }) => `${text}\n`).join(''));
  }
}

function replaceFile(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content as string, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
