import pg from 'pg';

/** A connection that is not made within this time is not there. */
const CONNECT_MS_MAX = 2_000;
/** A question that is not answered within this time is given up, and its connection with it. */
const QUERY_MS_MAX = 5_000;
/** Reads come with a caller who waits for an answer. */
export const READ_MS_MAX = 2_500;
/** A connection that nobody used for so long is closed. */
const IDLE_MS_MAX = 60_000;

/** How many connections each replica may have open. */
const WRITERS = 2;
const READERS = 4;
const KEEPERS = 2;

const INT8 = 20;

/**
 * Whole numbers of 8 bytes come as numbers: all of ours are safe integers, which reading a row
 * checks.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/** The connections of one process to one database. */
export interface Pools {
  /** Each carries one transaction at a time, all questions of which are under way at once. */
  readonly writers: pg.Pool;
  readonly readers: pg.Pool;
  /** For the lease and the health of the store, which wait behind no caller. */
  readonly keepers: pg.Pool;
  end(): Promise<void>;
}

/**
 * Returns pools that connect when they are used. A connection that breaks while nobody uses it is
 * replaced without a word: whoever needs one next hears of what is wrong.
 */
export function openPools(url: string): Pools {
  const shared = {
    connectionString: url,
    types,
    pipeline: true,
    application_name: 'preflight',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: IDLE_MS_MAX,
    keepAlive: true,
  };
  const writers = new pg.Pool({ ...shared, max: WRITERS, query_timeout: QUERY_MS_MAX });
  const readers = new pg.Pool({ ...shared, max: READERS, query_timeout: READ_MS_MAX });
  const keepers = new pg.Pool({ ...shared, max: KEEPERS, query_timeout: READ_MS_MAX });
  for (const pool of [writers, readers, keepers]) pool.on('error', () => undefined);
  return {
    writers,
    readers,
    keepers,
    async end() {
      await Promise.all([writers.end(), readers.end(), keepers.end()]);
    },
  };
}

/**
 * Works with a connection of a pool, and gives it back: to be used again, unless it broke meanwhile
 * or the work dropped it.
 */
export async function lending<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient, drop: () => void) => Promise<T>,
): Promise<T> {
  let isBroken = false;
  const drop = () => {
    isBroken = true;
  };
  // A connection that breaks while nothing is asked says so here alone; unheard, that ends the
  // process.
  client.on('error', drop);
  try {
    return await work(client, drop);
  } finally {
    client.off('error', drop);
    client.release(isBroken);
  }
}

/** Returns one connection of its own, for what is done once. End it when done. */
export async function connectOnce(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types, connectionTimeoutMillis: CONNECT_MS_MAX });
  // Unheard, the error of a connection that breaks ends the process; its next question rejects.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
