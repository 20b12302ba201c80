import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import type { GateCall } from './call.js';
import { idempotencyKeyFault } from './idempotency.js';
import type { GateTool } from './tool.js';

/**
 * Returns why an unpaid call would be refused even if it were paid for, so that nobody signs a
 * payment for nothing; null: that is not known. Nothing is asked of the venue for it. A call
 * without parameters only wants to know the terms.
 */
export function unpaidFault(tool: GateTool, call: GateCall): MaybePromise<Problem | null> {
  const { args, caller, idempotencyKey } = call;
  if (args instanceof Problem) return args;
  if (!hasParameters(args)) return null;
  const prepared = tool.prepare(args, caller);
  if (prepared.kind === 'invalid') return new Problem('invalid_parameter', prepared.message);
  return idempotencyKeyFault(idempotencyKey) ?? prepared.fault();
}

function hasParameters(args: unknown): boolean {
  return typeof args === 'object' && args !== null && Object.keys(args).length > 0;
}
