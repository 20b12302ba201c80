import { join } from 'node:path';
import { migrate } from '#adapters/postgres/migrate';
import { openStore } from '#compose/credits';
import { openEvidence } from '#compose/evidence';
import type { LocalConfig } from '#config/config';
import { startEmbeddedPostgres } from '../postgres/embedded.js';
import { openPromo } from '../stage.js';

/** What all replicas share. */
export interface SharedStore {
  readonly url: string;
  /** Where the keys are that tokens, codes and evidence are made with. */
  readonly keysDir: string;
  readonly promoCode: string;
  stop(): Promise<void>;
}

/**
 * Returns the database of the environment, or starts one in the data directory and lays out its
 * tables. Its keys are made here, before several processes look for them at once. Rejects in one
 * sentence where none can run.
 */
export async function openSharedStore({ dataDir, storeUrl }: LocalConfig): Promise<SharedStore> {
  const keysDir = join(dataDir, 'keys');
  const embedded = storeUrl === null ? await startEmbedded(join(dataDir, 'postgres')) : null;
  const url = storeUrl ?? embedded!.url;
  openEvidence(keysDir);
  const { store, credits } = await openStore({ dataDir, keysDir, storeUrl: url });
  const promoCode = await openPromo(credits).finally(() => store.close());
  return { url, keysDir, promoCode, stop: async () => embedded?.stop() };
}

async function startEmbedded(folder: string) {
  const started = await startEmbeddedPostgres({ folder });
  if (started.kind === 'absent') throw new Error(`${started.why} Or set STORE_URL to your own PostgreSQL.`);
  await migrate(started.server.url);
  return started.server;
}
