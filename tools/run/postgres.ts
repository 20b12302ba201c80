import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#local/postgres/embedded';
import { POSTGRES_ABSENT, POSTGRES_URL } from '#test/support/postgres';

/** The server that all tests of a run share. */
export interface RunPostgres {
  /** What the tests find it by, or learn why there is none. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the server of a run; a run that was given one uses that. */
export async function startRunPostgres(): Promise<RunPostgres> {
  if (process.env[POSTGRES_URL] !== undefined) return { env: {}, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'preflight-postgres-'));
  const started = await startEmbeddedPostgres({ folder });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (started.kind === 'absent') {
    remove();
    return { env: { [POSTGRES_ABSENT]: started.why }, stop: async () => {} };
  }
  const stop = async () => {
    await started.server.kill();
    remove();
  };
  return { env: { [POSTGRES_URL]: started.server.url }, stop };
}
