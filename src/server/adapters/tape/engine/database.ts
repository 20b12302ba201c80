import { DuckDBDataChunk, DuckDBInstance, type DuckDBType, type DuckDBValue } from '@duckdb/node-api';

/** Rows of one chunk as DuckDB cuts them; larger chunks cannot be appended. */
const CHUNK_ROWS = 2_048;

/** One connection, and with it the temporary tables of one piece of work. */
export interface TapeSession {
  run(sql: string): Promise<void>;
  /**
   * Returns all rows, by column name. BIGINT and wider come as bigint, INTEGER and DOUBLE as
   * number.
   */
  rows<Row>(sql: string): Promise<readonly Row[]>;
  /** Returns the rows in pieces as they are found, each an array of columns. */
  columns(sql: string): AsyncIterable<readonly (readonly DuckDBValue[])[]>;
  /**
   * Creates a temporary table and fills it. `columns` are of one length and in the order of
   * `types`.
   */
  load(table: string, types: Readonly<Record<string, DuckDBType>>, columns: readonly DuckDBValue[][]): Promise<void>;
}

/** The engine: it keeps nothing itself, all that lasts lies in the folder. */
export interface TapeDatabase {
  /** Runs a piece of work on a connection of its own, and drops its temporary tables afterwards. */
  session<Result>(work: (session: TapeSession) => Promise<Result>): Promise<Result>;
  /** The same for work that hands out results while it goes on. */
  sessionOf<Item>(work: (session: TapeSession) => AsyncGenerator<Item>): AsyncGenerator<Item>;
  /** Ends what runs: it rejects. */
  close(): void;
}

/** What an engine may take of the machine. */
export interface TapeDatabaseOptions {
  readonly threads: number;
  /** As DuckDB reads it, "1GB" for one. */
  readonly memoryLimit: string;
  /** What does not fit into the memory goes here. */
  readonly spillFolder: string;
}

/** Opens an engine in memory. */
export async function openTapeDatabase(options: TapeDatabaseOptions): Promise<TapeDatabase> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(options.threads),
    memory_limit: options.memoryLimit,
    temp_directory: options.spillFolder,
    // Nothing is ever fetched from elsewhere: what the tape needs is built in.
    autoinstall_known_extensions: 'false',
  });
  const live = new Set<Connection>();
  const connect = async () => {
    const connection = await instance.connect();
    live.add(connection);
    return connection;
  };
  const leave = (connection: Connection) => {
    live.delete(connection);
    connection.closeSync();
  };
  return {
    async session(work) {
      const connection = await connect();
      try {
        return await work(toSession(connection));
      } finally {
        leave(connection);
      }
    },
    async *sessionOf(work) {
      const connection = await connect();
      try {
        yield* work(toSession(connection));
      } finally {
        leave(connection);
      }
    },
    close() {
      // A process cannot end while a query runs in its threads.
      for (const connection of live) connection.interrupt();
      instance.closeSync();
    },
  };
}

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;

function toSession(connection: Connection): TapeSession {
  return {
    async run(sql) {
      await connection.run(sql);
    },
    async rows<Row>(sql: string) {
      return (await (await connection.runAndReadAll(sql)).getRowObjects()) as unknown as readonly Row[];
    },
    async *columns(sql) {
      const result = await connection.stream(sql);
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        yield chunk.getColumns();
      }
    },
    async load(table, types, columns) {
      const names = Object.keys(types);
      const kinds = Object.values(types);
      await connection.run(`CREATE TEMP TABLE ${table} (${names.map((name, i) => `${name} ${kinds[i]}`).join(', ')})`);
      const appender = await connection.createAppender(table);
      const rows = columns[0]?.length ?? 0;
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        const chunk = DuckDBDataChunk.create(kinds);
        chunk.setColumns(columns.map((values) => values.slice(from, from + CHUNK_ROWS)));
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
    },
  };
}
