import express, { type Router } from 'express';
import { applyFaultCommand, type FaultCommand } from '../faults/fault-commands.js';
import type { VenueFaults } from '../faults/faults.js';

/** Most changes that one request may step through, per market. */
const STEPS_MAX = 10_000;

export interface ControlOptions {
  readonly faults: VenueFaults;
  readonly step: (count: number) => void;
  readonly listing: () => unknown;
}

/**
 * The venue's own controls, which the real one does not have: `POST /control/faults` with a
 * FaultCommand, `POST /control/step` with {"count": n}, `GET /control/markets`.
 */
export function controlRoutes({ faults, step, listing }: ControlOptions): Router {
  const router = express.Router();
  router.use(express.json({ limit: '100kb' }));
  router.get('/markets', (_, response) => void response.json(listing()));
  router.post('/faults', (request, response) => {
    try {
      applyFaultCommand(faults, (request.body ?? {}) as FaultCommand);
      response.json({ ok: true });
    } catch (error) {
      response.status(400).json({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  router.post('/step', (request, response) => {
    const count = Number((request.body as { count?: unknown } | undefined)?.count ?? 1);
    if (!Number.isInteger(count) || count < 1 || count > STEPS_MAX) {
      response.status(400).json({ error: `count is a whole number from 1 to ${STEPS_MAX}` });
      return;
    }
    step(count);
    response.json({ ok: true, count });
  });
  return router;
}
