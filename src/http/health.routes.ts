import type { Health } from '#api/health';
import type { StatusReport } from '#api/status';
import type { Route } from '#doors/route';
import { ok } from './answer.js';

const READY: Health = { ok: true };
const NOT_READY: Health = { ok: false, error: 'the service is starting or stopping: try again in a few seconds' };

/**
 * GET /healthz, for load balancers; GET /status.json, for operators and clients who want to know
 * more.
 */
export function healthRoutes(ready: () => boolean, status: () => Promise<StatusReport>): readonly Route[] {
  return [
    {
      path: '/healthz',
      methods: { GET: () => (ready() ? ok(READY) : { status: 500, body: JSON.stringify(NOT_READY) }) },
    },
    { path: '/status.json', methods: { GET: async () => ok(await status()) } },
  ];
}
