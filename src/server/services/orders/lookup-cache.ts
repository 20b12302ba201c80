import { LRUCache } from 'lru-cache';
import { UnreadableAnswer } from '#domain/errors';
import type { Stopwatch } from '#system/stopwatch';
import type { Timers } from '#system/timers';
import { withTimeout } from '../with-timeout.js';

/**
 * How long an answer of the catalog counts. A market's status changes seldom, but then it matters
 * within the minute.
 */
const ANSWER_TTL_MS = 30_000;
/** "No such market" is soon wrong: the venue lists a few every minute. */
const ABSENCE_TTL_MS = 5_000;
/**
 * Whoever uses an answer that has no longer than this to go has it renewed meanwhile, so that the
 * next caller need not wait.
 */
const RENEW_AHEAD_MS = 10_000;
/**
 * Where the catalog cannot be asked or is silent, an answer may be this old; not where it says
 * something else now that is not understood.
 */
const STALE_ANSWER_MAX_MS = 600_000;
/**
 * How long an old answer stands before the catalog is tried again; else every request would wait
 * for its time limit.
 */
const STALE_RETRY_MS = 2_000;

/** How long the catalog is waited for where an old answer can stand in. */
export const STALE_WAIT_MS = 200;
/**
 * The same where the answer is older than this and the catalog was not silent before: it may only
 * take its time, and by now the market may be closed.
 */
export const OLD_ANSWER_WAIT_MS = 1_000;
const OLD_ANSWER_MS = 60_000;

export interface LookupCacheOptions<Key extends string, Value> {
  /** null: there is none. A rejection is passed on unless an old answer can stand in. */
  readonly fetch: (key: Key) => Promise<Value | null>;
  readonly stopwatch: Stopwatch;
  readonly timers: Timers;
  readonly entriesMax: number;
  /** Bounds the sum of `weigh` over all answers; each answer weighs 1 if `weigh` is left out. */
  readonly weightMax?: number;
  readonly weigh?: (value: Value) => number;
  /**
   * An answer that is in use will soon not count any more. Told once of each; `renew` is what is
   * hoped for.
   */
  readonly onDue?: (value: Value) => void;
}

/** Answers of the catalog by key. Concurrent questions for one key become one call. */
export interface LookupCache<Key extends string, Value> {
  get(key: Key): Promise<Value | null>;
  /** Keeps an answer that was just fetched another way. */
  put(key: Key, value: Value): void;
  /** Asks again the next time. */
  forget(key: Key): void;
  /** Replaces an answer that is held and older, by one to a question of that time. */
  renew(key: Key, value: Value, requestedAtMs: number): void;
  /** What `get` would return without asking; undefined if it would ask. */
  fresh(key: Key): Value | null | undefined;
  /** As `fresh`, by somebody who does not use it: it is not renewed for them. */
  glance(key: Key): Value | null | undefined;
  /** What is held, however old, without asking; null if nothing or an absence is held. */
  peek(key: Key): Value | null;
}

interface Answer<Value> {
  readonly value: Value | null;
  readonly requestedAtMs: number;
  /**
   * Later it is asked for again. Kept here and not by the cache, which would look for it in two
   * more places. A whole number, which lies in the answer itself; a fraction would be one more
   * place.
   */
  freshUntilMs: number;
  /** Whether it was said that it is due, or need not be. */
  isReported: boolean;
}

/** Returns an empty cache. */
export function createLookupCache<Key extends string, Value extends object>(
  options: LookupCacheOptions<Key, Value>,
): LookupCache<Key, Value> {
  const { fetch, stopwatch, timers, entriesMax, weightMax = entriesMax, weigh = () => 1, onDue } = options;
  /** Whether the catalog had not answered when it was last waited for. */
  let isSilent = false;
  const cache = new LRUCache<Key, Answer<Value>>({
    // Where each weighs one, the weights bound the entries too; `max` takes the memory of all of
    // them at once.
    ...(weightMax === entriesMax ? {} : { max: entriesMax }),
    maxSize: weightMax,
    sizeCalculation: ({ value }) => (value === null ? 1 : Math.max(1, weigh(value))),
    // An entry pushed out while it is being fetched is still wanted by whoever waits for it.
    ignoreFetchAbort: true,
    fetchMethod: async (key, old) => {
      const requestedAtMs = stopwatch.elapsedMs();
      try {
        const value = await fetch(key);
        isSilent = false;
        return toAnswer(value, requestedAtMs, value === null ? ABSENCE_TTL_MS : ANSWER_TTL_MS);
      } catch (error) {
        if (error instanceof UnreadableAnswer || old === undefined || !mayStandIn(old, requestedAtMs)) throw error;
        return { ...toAnswer(old.value, old.requestedAtMs, STALE_RETRY_MS), isReported: true };
      }
    },
  });

  function toAnswer(value: Value | null, requestedAtMs: number, ttlMs: number): Answer<Value> {
    return { value, requestedAtMs, freshUntilMs: Math.ceil(stopwatch.elapsedMs()) + ttlMs, isReported: value === null };
  }

  function mayStandIn({ value, requestedAtMs }: Answer<Value>, nowMs: number): boolean {
    return value !== null && nowMs - requestedAtMs <= STALE_ANSWER_MAX_MS;
  }

  /** The catalog is silent. What it says in the end is kept all the same. */
  function standIn(held: Answer<Value>): Answer<Value> {
    isSilent = true;
    held.isReported = true;
    held.freshUntilMs = Math.ceil(stopwatch.elapsedMs()) + STALE_RETRY_MS;
    return held;
  }

  function freshAnswer(key: Key): Answer<Value> | undefined {
    const held = cache.peek(key);
    if (held === undefined) return undefined;
    const leftMs = held.freshUntilMs - stopwatch.elapsedMs();
    if (leftMs < 0) return undefined;
    if (leftMs <= RENEW_AHEAD_MS && !held.isReported) reportDue(held);
    return held;
  }

  function reportDue(held: Answer<Value>): void {
    held.isReported = true;
    onDue?.(held.value!);
  }

  return {
    async get(key) {
      const fresh = freshAnswer(key);
      if (fresh !== undefined) return fresh.value;
      const held = cache.peek(key);
      const fetched = cache.fetch(key, { forceRefresh: true });
      const nowMs = stopwatch.elapsedMs();
      if (held === undefined || !mayStandIn(held, nowMs)) return (await fetched)?.value ?? null;
      const isOld = nowMs - held.requestedAtMs > OLD_ANSWER_MS;
      const limit = { timers, ms: isOld && !isSilent ? OLD_ANSWER_WAIT_MS : STALE_WAIT_MS };
      return (await withTimeout(fetched, limit, () => standIn(held)))?.value ?? null;
    },
    put: (key, value) => void cache.set(key, toAnswer(value, stopwatch.elapsedMs(), ANSWER_TTL_MS)),
    forget: (key) => void cache.delete(key),
    renew(key, value, requestedAtMs) {
      const held = cache.peek(key);
      if (held === undefined || held.requestedAtMs >= requestedAtMs) return;
      cache.set(key, toAnswer(value, requestedAtMs, ANSWER_TTL_MS));
    },
    fresh: (key) => freshAnswer(key)?.value,
    glance(key) {
      const held = cache.peek(key);
      return held !== undefined && held.freshUntilMs >= stopwatch.elapsedMs() ? held.value : undefined;
    },
    peek: (key) => cache.peek(key)?.value ?? null,
  };
}
