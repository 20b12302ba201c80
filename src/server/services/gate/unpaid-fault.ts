import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import { idempotencyKeyFault } from './idempotency.js';
import type { ToolCall } from './tool-call.js';

/**
 * Returns why an unpaid call would be refused even if it were paid for, so that nobody signs a
 * payment for nothing; null: that is not known. Nothing is asked of the venue for it. A call
 * without parameters only wants to know the terms.
 */
export function unpaidFault(called: ToolCall): MaybePromise<Problem | null> {
  const { args, idempotencyKey } = called.call;
  if (!(args instanceof Problem) && !hasParameters(args)) return null;
  const { request } = called;
  if (request instanceof Problem) return request;
  return idempotencyKeyFault(idempotencyKey) ?? request.fault();
}

function hasParameters(args: unknown): boolean {
  return typeof args === 'object' && args !== null && Object.keys(args).length > 0;
}
