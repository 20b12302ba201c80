import type { Health } from '#api/health';
import type { StatusReport } from '#api/status';
import type { Answer, Route } from '#doors/route';
import type { StoreHealth } from '#services/status/store-watch';
import { ok } from '../answers/answer.js';
import { codedText } from './coded.js';

/** A sample is taken once a minute. */
const HISTORY_CACHE_S = 30;

/** How old what is said of the store is, in milliseconds. */
const AGE_HEADER = 'X-Health-Age-Ms';

const READY: Health = { ok: true };
const NOT_READY: Health = { ok: false, error: 'the service is starting or stopping: try again in a few seconds' };

const NO_STORE: Health = { ok: false, error: 'the store cannot be read or written: see /status.json' };

export interface HealthRouteDeps {
  readonly ready: () => boolean;
  /** Answers at once or nearly so, also while the store hangs. */
  readonly storeHealth: () => Promise<Pick<StoreHealth, 'ok' | 'ageMs'>>;
  readonly status: () => Promise<StatusReport>;
  /** GET /status/history.json as text. */
  readonly statusHistory: () => string;
}

/**
 * GET /healthz, for whatever decides whether to send requests here; GET /status.json, for all that
 * wants to know more; GET /status/history.json for what it said before.
 */
export function healthRoutes({ ready, storeHealth, status, statusHistory }: HealthRouteDeps): readonly Route[] {
  const answer = (health: Health, headers: readonly string[] = []): Answer => ({
    status: health.ok ? 200 : 500,
    body: JSON.stringify(health),
    headers,
  });
  const health = async () => {
    if (!ready()) return answer(NOT_READY);
    const { ok: isStoreWell, ageMs } = await storeHealth();
    if (isStoreWell === null) return answer(NOT_READY);
    return answer(isStoreWell ? READY : NO_STORE, ageMs === null ? [] : [AGE_HEADER, String(ageMs)]);
  };
  return [
    {
      path: '/healthz',
      methods: { GET: health },
    },
    { path: '/status.json', methods: { GET: async () => ok(await status()) } },
    { path: '/status/history.json', methods: { GET: codedText(statusHistory, HISTORY_CACHE_S) } },
  ];
}
