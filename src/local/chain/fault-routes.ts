import express, { type Router } from 'express';
import { z } from 'zod';
import { FAULTS, type FacilitatorFaults, type FaultPlan, OPERATIONS } from './facilitator-faults.js';

const MS_MAX = 600_000;
const ms = z.int().min(0).max(MS_MAX);

const PlanSchema = z.strictObject({
  operation: z.enum(OPERATIONS),
  fault: z.enum(Object.keys(FAULTS) as (keyof typeof FAULTS)[]),
  times: z.union([z.int().min(1).max(1_000_000), z.literal('always')]).optional(),
  payer: z.string().optional(),
  nonce: z.string().optional(),
  delayMs: ms.optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfterS: z.int().min(0).max(3_600).optional(),
  reason: z.string().max(200).optional(),
  withHash: z.boolean().optional(),
  minedAfterMs: z.union([ms, z.literal('never')]).optional(),
}) satisfies z.ZodType<FaultPlan>;

/**
 * The facilitator's controls, which real ones do not have: `POST /control/faults` with a FaultPlan,
 * `DELETE /control/faults`, `GET /control/calls`.
 */
export function faultRoutes(faults: FacilitatorFaults): Router {
  const router = express.Router();
  router.post('/faults', (request, response) => {
    try {
      faults.plan(PlanSchema.parse(request.body));
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
