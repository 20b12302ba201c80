import { z } from 'zod';

/** The answer of GET /healthz: 200 with `ok` true when the service is ready, else 500 with `ok` false. */
export const HealthSchema = z.strictObject({ ok: z.boolean(), error: z.string().optional() });

export type Health = z.infer<typeof HealthSchema>;

const instant = z.iso.datetime();

/** One thing that the service depends on. */
export const UpstreamStatusSchema = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  last_ok_at: instant.nullable().describe('When it last answered well; null: never since the start.'),
  last_error: z.string().nullable(),
});

/** The answer of GET /status.json: how fresh the service's view of the venue is. */
export const StatusReportSchema = z.strictObject({
  ok: z.boolean().describe('True where every upstream is well.'),
  api_version: z.string(),
  now: instant,
  started_at: instant,
  upstreams: z.array(UpstreamStatusSchema),
  books: z.strictObject({
    held: z.int().min(0).describe('Order books in memory.'),
    oldest_age_seconds: z.number().min(0).nullable().describe('Age of the one confirmed longest ago; null: none held.'),
    median_age_seconds: z.number().min(0).nullable(),
  }),
});

export type StatusReport = z.infer<typeof StatusReportSchema>;
