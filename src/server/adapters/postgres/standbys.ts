import type { Standby } from '#ports/store';
import { systemStopwatch } from '../process/system-clock.js';
import type { Query } from './query.js';

/** What is shown is at most about so old. */
const LOOK_INTERVAL_MS = 5_000;

/** Without the role pg_monitor, or on standbys of other roles, all but the process is null. */
const STANDBYS = 'SELECT application_name AS name, sync_state FROM pg_stat_replication ORDER BY pid';

/**
 * Returns what tells which databases follow the one that is asked. It answers at once with what was
 * found last, and looks again when that is old: null where nothing is known, or this role may not
 * see it.
 */
export function watchStandbys(query: Query): () => readonly Standby[] | null {
  let found: readonly Standby[] | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const { rows } = await query('standbys', STANDBYS);
    const isHidden = rows.some(({ sync_state }) => sync_state === null);
    found = isHidden
      ? null
      : rows.map(({ name, sync_state }) => ({ name: String(name), syncState: String(sync_state) }));
  }

  return () => {
    const nowMs = systemStopwatch.elapsedMs();
    if (nowMs - lookedAtMs >= LOOK_INTERVAL_MS) {
      lookedAtMs = nowMs;
      look().catch(() => {
        found = null;
      });
    }
    return found;
  };
}
