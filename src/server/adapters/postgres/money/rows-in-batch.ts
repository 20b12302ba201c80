import type { Columns, Query } from '../query.js';
import { lockSql, nameOf, putSql, type Table } from './tables.js';

interface Entry<Id, Row> {
  readonly id: Id;
  /** As the database has it: undefined if it was not asked; null if there is none. */
  raw: Columns | null | undefined;
  row: Row | null | undefined;
  isChanged: boolean;
}

/** The rows of one table as they stand within one transaction. */
export class RowsInBatch<Id, Row> {
  readonly #table: Table<Id, Row>;
  readonly #entries = new Map<string, Entry<Id, Row>>();

  constructor(table: Table<Id, Row>) {
    this.#table = table;
  }

  /** Names a row that decisions will look at. */
  want(id: Id): void {
    this.#entryOf(id);
  }

  /** Locks the wanted rows that were not locked yet, in the order of their keys, and reads them. */
  async lock(query: Query): Promise<void> {
    const wanted = [...this.#entries.values()].filter(({ raw }) => raw === undefined);
    if (wanted.length === 0) return;
    const keys = wanted.map(({ id }) => this.#table.keyOf(id));
    const lists = this.#table.keys.map((_, n) => keys.map((key) => key[n]));
    const { name } = this.#table;
    const { rows } = await query(`lock ${name}`, lockSql(this.#table as Table<never, never>), lists);
    const found = new Map(rows.map((raw) => [`${name}/${this.#table.keys.map((key) => raw[key]).join('/')}`, raw]));
    for (const entry of wanted) entry.raw = found.get(nameOf(this.#table, entry.id)) ?? null;
  }

  /** Returns the row as it stands, or null. The same object until it is changed. */
  read(id: Id): Row | null {
    const entry = this.#entryOf(id);
    if (entry.row === undefined) entry.row = this.#decode(entry);
    return entry.row;
  }

  /** Returns the row as it was before this transaction, or null. */
  before(id: Id): Row | null {
    return this.#decode(this.#entryOf(id));
  }

  write(id: Id, row: Row | null): void {
    Object.assign(this.#entryOf(id), { row, isChanged: true });
  }

  /** The rows that were changed, as they stand. */
  changed(): readonly { readonly id: Id; readonly row: Row | null }[] {
    return [...this.#entries.values()]
      .filter(({ isChanged }) => isChanged)
      .map(({ id, row }) => ({ id, row: row ?? null }));
  }

  /** Whether a row was changed that nobody has looked at. */
  get hasUnread(): boolean {
    return [...this.#entries.values()].some(({ raw }) => raw === undefined);
  }

  /**
   * Writes and removes what was changed. Rejects where the database has meanwhile other rows than
   * were read.
   */
  save(query: Query): readonly Promise<unknown>[] {
    const changed = [...this.#entries.values()].filter(({ isChanged }) => isChanged).sort(byKey(this.#table));
    const put = changed.filter(({ row }) => row !== null);
    const gone = changed.filter(({ row, raw }) => row === null && raw !== null);
    return [
      ...(put.length === 0 ? [] : [this.#put(query, put)]),
      ...(gone.length === 0 ? [] : [this.#remove(query, gone)]),
    ];
  }

  #put(query: Query, entries: readonly Entry<Id, Row>[]): Promise<unknown> {
    const values = entries.map(({ row }) => this.#table.valuesOf(row!));
    const lists = this.#table.columns.map((_, n) => values.map((one) => one[n]));
    const revs = entries.map(({ raw }) => revOf(raw) + 1);
    const { name } = this.#table;
    return query(`put ${name}`, putSql(this.#table as Table<never, never>), [...lists, revs, entries.length]);
  }

  #remove(query: Query, entries: readonly Entry<Id, Row>[]): Promise<unknown> {
    const { name, keys } = this.#table;
    const lists = keys.map((_, n) => entries.map(({ id }) => this.#table.keyOf(id)[n]));
    const given = [...keys.map((_, n) => `$${n + 1}::text[]`), `$${keys.length + 1}::bigint[]`].join(', ');
    const among = `t.${keys[0]} = ANY($1::text[])`;
    const same = [among, ...[...keys, 'rev'].map((column) => `t.${column} = gone.${column}`)].join(' AND ');
    const sql =
      `WITH removed AS (DELETE FROM ${name} t USING unnest(${given}) AS gone(${[...keys, 'rev'].join(', ')})` +
      ` WHERE ${same} RETURNING 1) SELECT expect_rows((SELECT count(*) FROM removed), $${keys.length + 2})`;
    return query(`remove ${name}`, sql, [...lists, entries.map(({ raw }) => revOf(raw)), entries.length]);
  }

  #entryOf(id: Id): Entry<Id, Row> {
    const name = nameOf(this.#table, id);
    const existing = this.#entries.get(name);
    if (existing !== undefined) return existing;
    const entry: Entry<Id, Row> = { id, raw: undefined, row: undefined, isChanged: false };
    this.#entries.set(name, entry);
    return entry;
  }

  #decode({ raw, id }: Entry<Id, Row>): Row | null {
    return raw === undefined || raw === null ? null : this.#table.decode(raw, id);
  }
}

function byKey<Id, Row>(table: Table<Id, Row>): (a: Entry<Id, Row>, b: Entry<Id, Row>) => number {
  return (a, b) => (nameOf(table, a.id) < nameOf(table, b.id) ? -1 : 1);
}

function revOf(raw: Columns | null | undefined): number {
  return (raw?.rev as number | undefined) ?? 0;
}
