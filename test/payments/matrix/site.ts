import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import type { PaymentWorld } from '#test/support/payment-world';
import type { Fault } from './faults.js';

/**
 * Where one cell is played: a data directory and facilitators of its own in a world that is shared.
 */
export interface Site {
  readonly world: PaymentWorld;
  readonly dataDir: string;
  /** In the order in which they are asked; the faults are the first one's. */
  readonly facilitators: readonly LocalFacilitator[];
  close(): Promise<void>;
}

/** Opens a place where the fault is going to happen. */
export async function openSite(
  world: PaymentWorld,
  { plans, hasSpare }: Pick<Fault, 'plans' | 'hasSpare'>,
): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'preflight-cell-'));
  const start = () => startLocalFacilitator({ chain: world.chain });
  const first = await start();
  const facilitators = hasSpare ? [first, await start()] : [first];
  for (const plan of plans) first.faults.plan(plan);
  return {
    world,
    dataDir,
    facilitators,
    async close() {
      for (const facilitator of facilitators) await facilitator.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
