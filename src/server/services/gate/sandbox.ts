import { OPERATIONS, type ServedTool } from '#api/operations';
import { type SandboxAnswer, sandboxAnswer } from '#api/sandbox/sandbox-inputs';
import type { Clock } from '#system/clock';
import type { GateResult } from './call.js';

/** Callers whose invented wallet is in its queue. */
const CALLERS_MAX = 1_000;
/** After so long a caller begins anew. */
const FORGOTTEN_AFTER_MS = 60_000;

/** Answers a call with `sandbox=1`: `raw` are its parameters, as far as they could be read. */
export type Sandbox = (tool: ServedTool, raw: unknown, caller: string) => GateResult;

/**
 * Returns the sandbox: documented inputs have examples of their own, everything else the one of the
 * tool. The same for everybody, free and unlimited; all it keeps is who was told QUEUED, and when.
 */
export function createSandbox(clock: Pick<Clock, 'elapsedMs'>): Sandbox {
  const hasWaited = sandboxQueue(clock);
  return (tool, raw, caller) => {
    const answer = sandboxAnswer(tool, raw);
    if (answer === null) return { kind: 'example', body: OPERATIONS[tool].exampleBody };
    return toResult(answer, (waitS) => hasWaited(caller, waitS * 1e3));
  };
}

function toResult(answer: SandboxAnswer, hasWaited: (waitS: number) => boolean): GateResult {
  switch (answer.kind) {
    case 'answer':
      return { kind: 'example', body: answer.body };
    case 'refused':
      return { kind: 'bad_request', problem: answer.problem };
    case 'queued': {
      const { body, later, retryAfterS } = answer;
      if (hasWaited(retryAfterS)) return { kind: 'example', body: later };
      return { kind: 'free', status: 202, body, nextRefreshS: null, retryAfterS };
    }
  }
}

/** Returns whether a caller was told to wait, and has: then the next call begins anew. */
function sandboxQueue(clock: Pick<Clock, 'elapsedMs'>): (caller: string, waitMs: number) => boolean {
  /** When each caller was told to wait, oldest first. */
  const since = new Map<string, number>();
  return (caller, waitMs) => {
    const nowMs = clock.elapsedMs();
    const sinceMs = since.get(caller);
    const isKnown = sinceMs !== undefined && nowMs - sinceMs <= FORGOTTEN_AFTER_MS;
    if (isKnown) return nowMs - sinceMs >= waitMs && since.delete(caller);
    since.delete(caller);
    since.set(caller, nowMs);
    if (since.size > CALLERS_MAX) since.delete(since.keys().next().value!);
    return false;
  };
}
