import express, { type Router } from 'express';
import { z } from 'zod';
import { type FacilitatorFaults, FaultPlanSchema } from './facilitator-faults.js';

/**
 * The facilitator's controls, which real ones do not have: `POST /control/faults` with a FaultPlan,
 * `DELETE /control/faults`, `GET /control/calls`.
 */
export function faultRoutes(faults: FacilitatorFaults): Router {
  const router = express.Router();
  router.post('/faults', (request, response) => {
    try {
      faults.plan(FaultPlanSchema.parse(request.body));
      response.json({ ok: true });
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      response.status(400).json({ error: why });
    }
  });
  router.delete('/faults', (_, response) => {
    faults.clear();
    response.json({ ok: true });
  });
  router.get('/calls', (_, response) => void response.json(faults.calls()));
  return router;
}
