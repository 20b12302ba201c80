import type { StatusReport } from '#api/status';
import { type StatusHistory, type StatusSample, StatusSampleSchema } from '#api/status-history';
import { parseJson } from '#domain/json';
import type { LineFile } from '#ports/line-file';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { interval } from '../interval.js';
import { keptLines } from './kept-lines.js';

const SAMPLE_MS = 60_000;
const HOURS = 24;
const SAMPLES_MAX = (HOURS * 3_600_000) / SAMPLE_MS;

export interface StatusWatchDeps {
  readonly report: () => Promise<StatusReport>;
  /** Where samples outlive this process, one a line. */
  readonly file: LineFile;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** What /status.json said in the last 24 hours, a sample a minute, in memory and in a file. */
export interface StatusWatch {
  /**
   * Returns the answer of GET /status/history.json as text, the same object until there is a sample
   * more.
   */
  text(): string;
  /** Reads what was kept, and takes the first sample at once. */
  start(): void;
  stop(): void;
}

/** A file that cannot be read or written costs the past, never the present. */
export function watchStatus({ report, file, clock, timers, onError }: StatusWatchDeps): StatusWatch {
  const over = new AbortController();
  const kept = keptLines(file, { linesMax: SAMPLES_MAX, onError });
  let samples: readonly StatusSample[] = [];
  let text: string | null = null;

  async function restore(): Promise<void> {
    const before = samplesOf(await kept.read(), clock.nowMs() / 1e3);
    samples = [...before, ...samples].slice(-SAMPLES_MAX);
    text = null;
  }

  async function sample(): Promise<void> {
    const taken = toSample(await report());
    samples = [...samples, taken].slice(-SAMPLES_MAX);
    text = null;
    kept.add(JSON.stringify(taken));
  }

  return {
    text() {
      text ??= JSON.stringify({
        every_seconds: SAMPLE_MS / 1e3,
        hours: HOURS,
        samples: [...samples],
      } satisfies StatusHistory);
      return text;
    },
    start() {
      // A disk that hangs keeps nothing waiting but the past.
      restore().catch(onError);
      sample().catch(onError);
      void interval(SAMPLE_MS, sample, { timers, signal: over.signal, onError });
    },
    stop: () => over.abort(),
  };
}

/** What can be read of the last day, the oldest first. */
function samplesOf(lines: readonly string[], nowS: number): readonly StatusSample[] {
  const fromS = nowS - HOURS * 3_600;
  const read = lines.flatMap((line) => StatusSampleSchema.safeParse(parseJson(line)).data ?? []);
  return read.filter(({ t }) => t > fromS && t <= nowS).sort((a, b) => a.t - b.t);
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
