import { rm } from 'node:fs/promises';
import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemHost } from '#adapters/process/host';
import { JOB_LEASE_MS, type JobName } from '#ports/job-leases';
import { tempFolder } from '#test/support/temp-folder';
import type { RatingsFixture } from '../ratings-store.contract.js';
import { closing } from './closing.js';

interface LmdbRatingsFixture extends RatingsFixture {
  readonly dataDir: string;
  readonly path: string;
  /** Lets the lease of a job run out, as if its process were gone. */
  endJob(job: JobName): Promise<void>;
}

/** Makes a directory of its own for the ratings. */
export async function makeRatingsFixture(): Promise<LmdbRatingsFixture> {
  const dataDir = tempFolder('ratings');
  const path = lmdbRatingsPath(dataDir);
  return closing({
    dataDir,
    path,
    open: async () => openLmdbRatings({ path }),
    async endJob(job) {
      const later = openLmdbRatings({
        path,
        host: { ...systemHost, uptimeMs: () => systemHost.uptimeMs() + JOB_LEASE_MS },
      });
      const hold = await later.jobs.claim(job, 'a later one');
      await later.jobs.release(hold!);
      await later.close();
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  });
}
