import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '#system/clock';

/** Shows a person how far a long command is. */
export interface ProgressLine {
  /** `done` of `all` in any unit; `note` says what was done so far. */
  update(step: string, done: number, all: number, note?: string): void;
  stop(): void;
}

/** Where no terminal listens, a line is written this often. */
const LINE_INTERVAL_MS = 10_000;

/**
 * Does long work beside a bar on stderr where that is a terminal, else a line there now and then;
 * stdout belongs to the report.
 */
export async function withProgress<T>(clock: Clock, work: (shown: ProgressLine) => Promise<T>): Promise<T> {
  const shown = process.stderr.isTTY === true ? bar() : lines(clock);
  try {
    return await work(shown);
  } finally {
    shown.stop();
  }
}

/** The same for work that ends early, and by itself, when the process is told to stop. */
export function untilStopped<T>(
  clock: Clock,
  work: (shown: ProgressLine, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return withProgress(clock, (shown) => work(shown, stopping.signal)).finally(() => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  });
}

function bar(): ProgressLine {
  const format = '{step} [{bar}] {percentage}% {note}';
  const shown = new SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true },
    Presets.legacy,
  );
  let begun = false;
  return {
    update(step, done, all, note = '') {
      const total = Math.max(1, all);
      if (!begun) shown.start(total, 0, { step, note });
      begun = true;
      shown.setTotal(total);
      shown.update(Math.min(done, total), { step, note });
    },
    stop: () => shown.stop(),
  };
}

function lines(clock: Clock): ProgressLine {
  let writtenAtMs = clock.nowMs();
  return {
    update(step, done, all, note = '') {
      if (clock.nowMs() - writtenAtMs < LINE_INTERVAL_MS) return;
      writtenAtMs = clock.nowMs();
      process.stderr.write(`${step}: ${Math.floor((100 * done) / Math.max(1, all))}% ${note}\n`);
    },
    stop: () => undefined,
  };
}
