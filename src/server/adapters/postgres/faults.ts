import { maskedUrl } from '#domain/database-url';
import { OutsideError, type OutsideFailure } from '#domain/errors';

/**
 * A change that was decided on rows which have changed since (migrations/001_money.sql,
 * "expect_rows").
 */
const OLD_REVISION = 'PF001';
const DUPLICATE_KEY = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** "cached plan must not change result type". */
const OTHER_RESULT = '0A000';
const UNKNOWN_STATEMENT = '26000';
const STATEMENT_THERE_ALREADY = '42P05';

/**
 * Returns the SQLSTATE of an error, or the code of the system call that failed; "" if it has none.
 */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether the same decisions, made anew on the rows as they are now, may go through. */
export function isOvertaken(error: unknown): boolean {
  return [OLD_REVISION, DUPLICATE_KEY, SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error));
}

/**
 * Whether the tables were altered, or a pooler changed the connection, since its statements were
 * prepared: over another connection they go through.
 */
export function isOutOfDate(error: unknown): boolean {
  return [OTHER_RESULT, UNKNOWN_STATEMENT].includes(codeOf(error));
}

/**
 * Whether it is what was to be written that is wrong (SQLSTATE classes 22 and 23), and not the
 * database.
 */
export function isDataFault(error: unknown): boolean {
  const code = codeOf(error);
  return /^2[23]/.test(code) && code !== DUPLICATE_KEY;
}

/**
 * Whether the server answered at all: an error with an SQLSTATE came over a connection that works.
 */
export function isFromServer(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !/^(08|57P)/.test(codeOf(error));
}

const UNKNOWN_CERTIFICATE =
  'the certificate of the server is not signed by an authority that is known here: name its file in the URL (sslrootcert=)';

const LOST_STATEMENTS =
  'the pooler before it loses named statements: it takes PgBouncer 1.21 or later with max_prepared_statements, or pool_mode = session';

const SENTENCES: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong: correct it in the URL',
  28000:
    'the server does not let this user in from here: look at its pg_hba.conf, and whether it wants TLS (sslmode=verify-full)',
  '3D000': 'there is no such database: make it, or correct its name in the URL',
  42501: 'the user may not do this there: GRANT it the rights on database and schema',
  '42P07': 'tables of these names are there that this program did not make: give an empty database or schema',
  42723: 'a function of this name is there that this program did not make: give an empty database or schema',
  '42P01': 'the tables are not there: run `preflightctl store migrate`',
  [UNKNOWN_STATEMENT]: LOST_STATEMENTS,
  [STATEMENT_THERE_ALREADY]: LOST_STATEMENTS,
  53300: 'the server has no connection left: raise max_connections, or put PgBouncer before it',
  53100: 'the disk of the server is full: make room',
  25006: 'it is a read-only standby: name the primary in the URL',
  '55P03': 'another transaction kept a row for too long: try again',
  '57P03': 'the server is starting or stopping: try again',
  ECONNREFUSED: 'nothing listens there: start the server, or correct host and port in the URL',
  ENOTFOUND: 'the host is not known: correct it in the URL',
  EHOSTUNREACH: 'the host cannot be reached',
  EAI_AGAIN: 'the name of the host cannot be looked up now: try again, or correct it in the URL',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is of another host: correct the host in the URL',
  ETIMEDOUT: 'the server does not answer',
};

/**
 * Returns what is wrong with the database and what to do about it, in one sentence without its
 * address.
 */
export function describeFault(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error);
  const existing = SENTENCES[codeOf(error)];
  if (existing !== undefined) return existing;
  if (/does not support SSL/.test(text))
    return 'the server has no TLS: set sslmode=disable in the URL, on a network that you trust';
  if (/timeout/i.test(text)) return 'the server does not answer in time';
  if (/Connection terminated|ECONNRESET|EPIPE/.test(text)) return 'the connection broke';
  return text;
}

/** Returns the error that callers of a store get. */
export function storeError(error: unknown, failure: OutsideFailure = 'retryable'): OutsideError {
  if (error instanceof OutsideError) return error;
  return new OutsideError('store', `the database failed: ${describeFault(error)}`, { failure, cause: error });
}

/**
 * Does something with a database. What fails is reported beside which database it is: alone it is
 * of no use.
 */
export async function namingDatabase<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Error(`${maskedUrl(url)}: ${describeFault(cause)}`, { cause });
  }
}
