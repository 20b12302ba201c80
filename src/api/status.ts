import { z } from 'zod';

const instant = z.iso.datetime();
const count = z.int().min(0);
const seconds = z.number().min(0).nullable();

/** One thing that the service depends on or is made of. */
export const ComponentStatusSchema = z.strictObject({
  ok: z.boolean(),
  last_ok_at: instant.nullable().describe('When it last answered well; null: not asked since the start.'),
  error: z.string().nullable().describe('What went wrong last, where it is not ok.'),
});

export type ComponentStatus = z.infer<typeof ComponentStatusSchema>;

/**
 * The answer of GET /status.json: how fresh the service's view of the venue is. `status` is `degraded` where a component is
 * not ok; a component that nobody has needed since the start is ok.
 */
export const StatusReportSchema = z.strictObject({
  status: z.enum(['ok', 'degraded']),
  api_version: z.string(),
  now: instant,
  started_at: instant,
  components: z.record(z.string(), ComponentStatusSchema),
  books: z.strictObject({
    held: count.describe('Order books kept fresh in memory.'),
    oldest_age_seconds: seconds.describe('Age of the one confirmed longest ago; null: none held.'),
    median_age_seconds: seconds,
    sockets: count,
    sockets_live: count,
    frames: count.describe('Frames of the market channel since the start.'),
    frames_bad: count,
    hashes_agreed: count.describe("Books proven by the venue's own hash since the start."),
    hashes_differed: count,
  }),
  preflight_trade: z
    .strictObject({ count, p50_ms: z.number().nullable(), p95_ms: z.number().nullable() })
    .describe('Time from understood parameters to verdict, over the last five to ten minutes.'),
  payments: z
    .strictObject({
      in_work: count,
      unresolved: count.describe('Payments whose outcome is not known yet; the chain is being asked.'),
      answered: count,
      refused: count,
    })
    .describe('Payments per call and credit packs since the start.'),
});

export type StatusReport = z.infer<typeof StatusReportSchema>;
