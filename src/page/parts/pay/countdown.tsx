import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clientSystem } from '#client/system';
import { waitText } from '../../model/texts.js';

/**
 * How long it is until a moment, second by second; `onEnd` is called once it has come. Not
 * announced: it changes too often.
 */
export function Countdown({ untilMs, onEnd }: { readonly untilMs: number; readonly onEnd?: () => void }) {
  const leftMs = useSignal(untilMs - clientSystem.clock.nowMs());
  useEffect(() => {
    let cancel = () => {};
    const tick = () => {
      leftMs.value = untilMs - clientSystem.clock.nowMs();
      if (leftMs.value > 0) cancel = clientSystem.timers.after(Math.min(1_000, leftMs.value), tick);
      else onEnd?.();
    };
    tick();
    return () => cancel();
  }, [untilMs]);
  return <span class="number">{waitText(leftMs.value)}</span>;
}
