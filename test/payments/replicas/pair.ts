import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#adapters/postgres/migrate';
import { openPostgresStore } from '#adapters/postgres/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import type { Store } from '#ports/store';
import { checkStore } from '#services/integrity/check';
import type { PaymentWorld } from '#test/support/payment-world';
import type { TestPostgres } from '#test/support/postgres';
import { Replica } from './replica.js';

/** Two replicas on a database of their own, with one facilitator. */
export interface Pair {
  readonly world: PaymentWorld;
  readonly facilitator: LocalFacilitator;
  /** The same database, over no line that can be cut. */
  readonly store: Store;
  /** Is asked first, and stops where it is told to. */
  readonly owner: Replica;
  readonly other: Replica;
  /** Returns what cannot be true of a sound store. */
  faults(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Starts them in an empty schema. */
export async function openPair(world: PaymentWorld, server: TestPostgres): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'preflight-pair-'));
  const { url: databaseUrl } = await server.makeSchema();
  await migrate(databaseUrl);
  const facilitator = await startLocalFacilitator({ chain: world.chain });
  const store = await openPostgresStore({ url: databaseUrl, clock: systemClock });
  const start = (name: string, isArmed: boolean) => {
    const own = join(folder, name);
    const env = { ...world.serviceEnv(own, [facilitator.url]), KEYS_DIR: folder };
    return Replica.start({ folder: own, databaseUrl, env, isArmed });
  };
  // One after the other: whoever is first makes the keys.
  const owner = await start('owner', true);
  const other = await start('other', false);
  return {
    ...{ world, facilitator, store, owner, other },
    async faults() {
      const { faults } = await checkStore({ store, ratings: null }, () => {});
      return faults.map((fault) => JSON.stringify(fault));
    },
    async close() {
      await owner.close();
      await other.close();
      await facilitator.stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
