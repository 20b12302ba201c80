import { OutsideError } from '#domain/errors';
import { parseWallet } from '#domain/ids';
import type { AnswerKey, Store } from '#ports/store';
import type { UpstreamHealth } from '#ports/venue';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';
import { interval } from '../interval.js';
import { withTimeout } from '../with-timeout.js';
import type { ChangeOutcomes } from './change-outcomes.js';

/** A store that has neither read nor written for this long is not there. */
const LOOK_MS_MAX = 2_000;
/** Whoever asks waits for a look no longer than this, and then hears what the last one found. */
const ASKER_MS_MAX = 50;
/** So old what is known becomes at most while nobody asks and no caller wants a change. */
const LOOK_INTERVAL_MS = 5_000;
/** What came to disk shows that the store is well for so long. */
const FRESH_MS = 1_000;
/** From this share of failed changes on a caller had better go elsewhere. */
const FAILED_SHARE_MAX = 0.1;

/**
 * What a look writes: the answer of nobody, who asks for none. It takes the room of a whole debit,
 * so that a disk with room for this has room for that; and it is of chance, so that no database
 * makes it small.
 */
const PROBED: AnswerKey = { wallet: parseWallet(`0x${'0'.repeat(40)}`)!, code: null, key: 'preflight health' };
const LOOK_BYTES = 12_000;
const KEPT_MS = 60_000;

/** How a store is, and how old that knowledge is. */
export interface StoreHealth extends UpstreamHealth {
  /** null: nothing is known yet. */
  readonly ageMs: number | null;
}

export interface StoreWatchDeps {
  readonly store: Pick<Store, 'ping' | 'transact'>;
  /** What became of the changes that callers wanted. */
  readonly changes: Pick<ChangeOutcomes, 'recent' | 'lastDoneMs'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
}

/** What the last look found. */
interface Look {
  readonly endedAtMs: number;
  /** null: all was well. */
  readonly error: string | null;
}

/** Looks at a store. */
export interface StoreWatch {
  /** Never rejects, and answers at once or nearly so, whatever the store does. */
  health(): Promise<StoreHealth>;
  /** Looks for the first time, and from then on at least now and then. */
  start(): Promise<void>;
  stop(): void;
}

/**
 * Returns what tells whether the store can be read and written: by what became of the changes that
 * callers wanted in the last seconds, and where there were none by a look that writes what a debit
 * does.
 */
export function watchStore({ store, changes, clock, timers, random }: StoreWatchDeps): StoreWatch {
  let last: Look | null = null;
  let lastOkAtMs: number | null = null;
  /** A look that hangs is the only one. */
  let inFlight: { readonly sinceMs: number; readonly ended: Promise<void> } | null = null;

  const ended = (error: string | null) => {
    last = { endedAtMs: clock.elapsedMs(), error };
    inFlight = null;
  };

  function look(): Promise<void> {
    inFlight ??= {
      sinceMs: clock.elapsedMs(),
      ended: readAndWrite().then(
        () => ended(null),
        (error: unknown) => ended(error instanceof OutsideError ? error.message : 'the store cannot be used'),
      ),
    };
    return inFlight.ended;
  }

  async function readAndWrite(): Promise<void> {
    const body = Buffer.from(random.bytes(LOOK_BYTES)).toString('hex');
    const answer = { ...PROBED, fingerprint: '', body, expiresAtMs: clock.nowMs() + KEPT_MS };
    await Promise.all([store.ping(), store.transact({ answer: PROBED }, () => ({ writes: { answer }, result: null }))]);
  }

  /** Returns why the store is not well, and since when that is known. */
  function verdict(): { readonly error: string | null; readonly atMs: number | null } {
    const nowMs = clock.elapsedMs();
    const hangsForMs = inFlight === null ? 0 : nowMs - inFlight.sinceMs;
    if (hangsForMs >= LOOK_MS_MAX) {
      return { error: `the store has not read and written within ${LOOK_MS_MAX} ms`, atMs: nowMs };
    }
    const { done, failed, lastError, lastAtMs, didLastFail } = changes.recent();
    if (didLastFail || (failed > 0 && failed >= (done + failed) * FAILED_SHARE_MAX))
      return { error: lastError, atMs: lastAtMs };
    const doneAtMs = changes.lastDoneMs;
    if (last !== null && last.endedAtMs > doneAtMs) return { error: last.error, atMs: last.endedAtMs };
    return { error: null, atMs: Number.isFinite(doneAtMs) ? doneAtMs : null };
  }

  /** Looks where nothing is known that is fresh, and waits for it no longer than that. */
  async function lookIfIdle(waitMs: number): Promise<void> {
    const knownAtMs = Math.max(changes.lastDoneMs, last?.endedAtMs ?? Number.NEGATIVE_INFINITY);
    const nowMs = clock.elapsedMs();
    if (nowMs - knownAtMs < FRESH_MS) return;
    // One that was waited for is not waited for again.
    const ms = waitMs - (inFlight === null ? 0 : nowMs - inFlight.sinceMs);
    const ended = look();
    if (ms > 0) await withTimeout(ended, { timers, ms }, () => undefined);
  }

  const stopping = new AbortController();
  return {
    async start() {
      await lookIfIdle(LOOK_MS_MAX);
      const again = { timers, signal: stopping.signal, onError: () => undefined };
      void interval(LOOK_INTERVAL_MS, () => lookIfIdle(LOOK_MS_MAX), again);
    },
    stop: () => stopping.abort(),
    async health() {
      await lookIfIdle(ASKER_MS_MAX);
      const { error, atMs } = verdict();
      const ageMs = atMs === null ? null : Math.max(0, Math.round(clock.elapsedMs() - atMs));
      if (error === null && ageMs !== null) lastOkAtMs = clock.nowMs() - ageMs;
      return { name: 'store', ok: ageMs === null ? null : error === null, lastOkAtMs, lastError: error, ageMs };
    },
  };
}
