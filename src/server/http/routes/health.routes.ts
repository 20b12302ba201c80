import type { Health } from '#api/health';
import type { StatusReport } from '#api/status';
import type { Route } from '#doors/route';
import { ok } from '../answers/answer.js';
import { codedText } from './coded.js';

/** A sample is taken once a minute. */
const HISTORY_CACHE_S = 30;

const READY: Health = { ok: true };
const NOT_READY: Health = { ok: false, error: 'the service is starting or stopping: try again in a few seconds' };

const NO_STORE: Health = { ok: false, error: 'the store cannot be read or written: see /status.json' };

export interface HealthRouteDeps {
  readonly ready: () => boolean;
  readonly storeOk: () => Promise<boolean>;
  readonly status: () => Promise<StatusReport>;
  /** GET /status/history.json as text. */
  readonly statusHistory: () => string;
}

/**
 * GET /healthz, for whatever decides whether to send requests here; GET /status.json, for all that
 * wants to know more; GET /status/history.json for what it said before.
 */
export function healthRoutes({ ready, storeOk, status, statusHistory }: HealthRouteDeps): readonly Route[] {
  const unwell = (health: Health) => ({ status: 500, body: JSON.stringify(health) });
  const health = async () => {
    if (!ready()) return unwell(NOT_READY);
    return (await storeOk()) ? ok(READY) : unwell(NO_STORE);
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
