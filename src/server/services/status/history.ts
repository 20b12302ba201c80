import type { StatusReport } from '#api/status';
import type { StatusHistory, StatusSample } from '#api/status-history';
import type { Timers } from '#system/timers';
import { interval } from '../interval.js';

const SAMPLE_MS = 60_000;
const HOURS = 24;
const SAMPLES_MAX = (HOURS * 3_600_000) / SAMPLE_MS;

export interface StatusWatchDeps {
  readonly report: () => Promise<StatusReport>;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** What /status.json said in the last 24 hours, a sample a minute, in memory. */
export interface StatusWatch {
  /**
   * Returns the answer of GET /status/history.json as text, the same object until there is a sample
   * more.
   */
  text(): string;
  /** Takes the first sample at once. */
  start(): void;
  stop(): void;
}

export function watchStatus({ report, timers, onError }: StatusWatchDeps): StatusWatch {
  const over = new AbortController();
  const samples: StatusSample[] = [];
  let text: string | null = null;

  async function sample(): Promise<void> {
    samples.push(toSample(await report()));
    if (samples.length > SAMPLES_MAX) samples.shift();
    text = null;
  }

  return {
    text() {
      text ??= JSON.stringify({ every_seconds: SAMPLE_MS / 1e3, hours: HOURS, samples } satisfies StatusHistory);
      return text;
    },
    start() {
      sample().catch(onError);
      void interval(SAMPLE_MS, sample, { timers, signal: over.signal, onError });
    },
    stop: () => over.abort(),
  };
}

function toSample({ now, degraded_by, preflight_trade, books }: StatusReport): StatusSample {
  return {
    t: Math.floor(Date.parse(now) / 1e3),
    rules: degraded_by,
    p50: preflight_trade.p50_ms,
    p95: preflight_trade.p95_ms,
    age: books.median_age_seconds,
  };
}
