import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ClientSystem } from '#client/system';
import type { Judged } from '../../model/order/judge.js';
import { ANNOUNCE_INTERVAL_MS, Announcer } from '../../model/try/announcer.js';

interface AnnouncedProps {
  readonly judged: ReadonlySignal<Judged | null>;
  readonly system: ClientSystem;
}

/** Tells those who listen that the verdict is another one now. */
export function Announced({ judged, system }: AnnouncedProps) {
  const text = useSignal('');
  useEffect(() => {
    const announcer = new Announcer();
    const stopped = new AbortController();
    const look = async () => {
      while (!stopped.signal.aborted) {
        const verdict = judged.peek()?.body.verdict;
        const received = announcer.now(
          verdict === undefined ? 'No verdict.' : `Verdict ${verdict}.`,
          system.clock.elapsedMs(),
        );
        if (received !== null) text.value = received;
        await system.timers.sleep(ANNOUNCE_INTERVAL_MS / 4, stopped.signal);
      }
    };
    void look();
    return () => stopped.abort();
  }, [judged, system, text]);
  return (
    <p class="visually-hidden" aria-live="polite" id="announced">
      {text}
    </p>
  );
}
