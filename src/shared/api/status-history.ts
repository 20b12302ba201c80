import { z } from 'zod';

const figure = z.number().min(0).nullable();

/** One minute, under short names: there are up to 1,440 of them. */
export const StatusSampleSchema = z.strictObject({
  t: z.int().min(0).describe('When it was taken, in seconds since 1970.'),
  rules: z.array(z.string()).describe('Rules by which the service was degraded, as degraded_by; empty: it was ok.'),
  p50: figure.describe(
    'Of preflight_trade, in milliseconds, over the five to ten minutes before; null: none was asked.',
  ),
  p95: figure,
  age: figure.describe('Median age of the books held, in seconds; null: none was held.'),
});

/**
 * The answer of GET /status/history.json: what /status.json said in the last 24 hours, once a
 * minute.
 */
export const StatusHistorySchema = z.strictObject({
  every_seconds: z.int().min(1),
  hours: z.int().min(1).describe('How far back it goes at most, over restarts of this process.'),
  samples: z
    .array(StatusSampleSchema)
    .describe('The oldest first. Minutes at which no sample could be taken are missing.'),
});

export type StatusSample = z.infer<typeof StatusSampleSchema>;
export type StatusHistory = z.infer<typeof StatusHistorySchema>;
