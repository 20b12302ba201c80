import { z } from 'zod';

/**
 * The answer of GET /healthz: 200 with `ok` true when the service is ready, else 500 with `ok`
 * false.
 */
export const HealthSchema = z.strictObject({ ok: z.boolean(), error: z.string().optional() });

export type Health = z.infer<typeof HealthSchema>;
