import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { StatusReport } from '#api/status';
import { clientSystem } from '#client/system';
import { askJson } from './ask-json.js';

const EVERY_MS = 10_000;

interface Latest {
  readonly report: StatusReport;
  /** When the service did not answer last; null: it did. */
  readonly failedAtMs: number | null;
}

/** Follows /status.json while the page is open, and says when it cannot. A page that nobody looks at asks nothing. */
export function useLatest(first: StatusReport): Latest {
  const latest = useSignal<Latest>({ report: first, failedAtMs: null });
  useEffect(() => {
    const over = new AbortController();
    void follow(over.signal);
    return () => over.abort();
  }, []);

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clientSystem.timers.sleep(EVERY_MS, signal);
      if (signal.aborted || document.hidden) continue;
      const report = await askJson<StatusReport>('/status.json');
      const nowMs = clientSystem.clock.nowMs();
      latest.value = report === null ? { ...latest.value, failedAtMs: nowMs } : { report, failedAtMs: null };
    }
  }
  return latest.value;
}
