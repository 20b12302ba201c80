import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StatusReport } from '#api/status';
import type { StatusHistory } from '#api/status-history';
import { clientSystem } from '#client/system';
import { type Day, dayOf } from '../../model/status/day.js';

const INTERVAL_MS = 10_000;
/** There is a sample more each minute. */
const HISTORY_EVERY = 6;

/** Looks that the service did not answer, one after the other. */
export interface FailedLook {
  readonly sinceMs: number;
  readonly lastMs: number;
}

interface Latest {
  readonly report: StatusReport;
  readonly day: Day;
  /** null: the last look was answered. */
  readonly failure: FailedLook | null;
}

/**
 * Follows /status.json while the page is open, and says when it cannot. A page that nobody sees
 * asks nothing, and asks at once when it is seen again.
 */
export function useLatest(first: Pick<Latest, 'report' | 'day'>): Latest {
  const latest = useSignal<Latest>({ ...first, failure: null });
  useEffect(() => {
    const over = new AbortController();
    void follow(over.signal);
    return () => over.abort();
  }, []);

  async function follow(signal: AbortSignal): Promise<void> {
    let waiting = new AbortController();
    const wake = () => waiting.abort();
    signal.addEventListener('abort', wake);
    document.addEventListener('visibilitychange', wake, { signal });
    for (let turn = 1; !signal.aborted; turn++) {
      waiting = new AbortController();
      await clientSystem.timers.sleep(INTERVAL_MS, waiting.signal);
      if (signal.aborted || document.hidden) continue;
      const report = await askJson<StatusReport>('/status.json');
      if (report === null) {
        const nowMs = clientSystem.clock.nowMs();
        latest.value = { ...latest.value, failure: { sinceMs: latest.value.failure?.sinceMs ?? nowMs, lastMs: nowMs } };
      } else {
        latest.value = { ...latest.value, report, failure: null };
      }
      if (turn % HISTORY_EVERY === 0) await followHistory();
    }
  }

  async function followHistory(): Promise<void> {
    const history = await askJson<StatusHistory>('/status/history.json');
    if (history !== null) latest.value = { ...latest.value, day: dayOf(history, latest.value.report) };
  }
  return latest.value;
}

const ANSWER_MS_MAX = 8_000;

/**
 * Returns what this origin answers at a path; null if that is not an answer in JSON with
 * status 200. Never rejects.
 */
async function askJson<T extends object>(path: string): Promise<T | null> {
  try {
    const answer = await fetch(path, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const body: unknown = await answer.json();
    return answer.status === 200 && typeof body === 'object' ? (body as T | null) : null;
  } catch {
    return null;
  }
}
