import type { z } from 'zod';
import { CreditsResponseSchema } from '../credits.js';
import { EvaluateRequestSchema } from '../evaluate/evaluate-request.js';
import { OPERATIONS, type ServedTool } from '../operations.js';
import { OrderVerdictSchema } from '../order-verdict.js';
import type { FreeTool } from '../tool-texts.js';
import { NoCoverageSchema, QueuedSchema } from '../wallets/wallet-profile.js';
import { NoParametersSchema } from '../wallets/wallet-request.js';

/** The tools of the MCP server: what is sold at the REST door, and what is free. */
export type McpTool = ServedTool | FreeTool;

/** How a tool is called and everything that it may answer, errors and payment terms aside. */
export interface ToolSchemas {
  readonly request: z.ZodType;
  readonly answers: readonly z.ZodType[];
}

/** What a tool answers for free, beside its example. */
const FREE_ANSWERS: Readonly<Partial<Record<ServedTool, readonly z.ZodType[]>>> = {
  preflight_copy: [NoCoverageSchema, QueuedSchema],
};

/** Named once in full, at `preflight_trade`: the form is the same. */
const EvaluationSchema = OrderVerdictSchema.pick({
  ok: true,
  verdict: true,
  reasons: true,
  reason_codes: true,
}).describe('As of preflight_trade, without paid and evidence.');

/** Returns the schemas of the REST door: what is true there is true here. */
export function schemasOf(tool: McpTool): ToolSchemas {
  if (tool === 'credits') return { request: NoParametersSchema, answers: [CreditsResponseSchema] };
  if (tool === 'evaluate') return { request: EvaluateRequestSchema, answers: [EvaluationSchema] };
  const { request, response } = OPERATIONS[tool];
  return { request, answers: [response, ...(FREE_ANSWERS[tool] ?? [])] };
}
