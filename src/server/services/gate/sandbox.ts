import { OPERATIONS, type ServedTool } from '#api/operations';
import { type SandboxAnswer, sandboxAnswer } from '#api/sandbox/sandbox-inputs';
import type { Clock } from '#system/clock';
import type { GateResult } from './call.js';

/** Callers whose invented wallet is in its queue. */
const CALLERS_MAX = 1_000;
/** After so long a caller begins anew. */
const FORGOTTEN_AFTER_MS = 600_000;

/** Answers a call with `sandbox=1`: `raw` are its parameters, as far as they could be read. */
export type Sandbox = (tool: ServedTool, raw: unknown, caller: string) => GateResult;

/**
 * Returns the sandbox: documented inputs have examples of their own, everything else the one of the
 * tool. The same for everybody, free and unlimited; all it keeps is who was told QUEUED, and when.
 */
export function createSandbox(clock: Pick<Clock, 'elapsedMs'>): Sandbox {
  const queue = new SandboxQueue(clock);
  return (tool, raw, caller) => {
    const answer = sandboxAnswer(tool, raw);
    if (answer === null) return { kind: 'example', body: OPERATIONS[tool].exampleBody };
    return toResult(answer, (waitS) => queue.hasWaited(caller, waitS * 1e3));
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

class SandboxQueue {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** When each caller was told to wait, oldest first. */
  readonly #since = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** Whether the caller was told to wait, and has: then the next call begins anew. */
  hasWaited(caller: string, waitMs: number): boolean {
    const nowMs = this.#clock.elapsedMs();
    const sinceMs = this.#since.get(caller);
    if (sinceMs === undefined || nowMs - sinceMs > FORGOTTEN_AFTER_MS) {
      this.#countCaller(caller, nowMs);
      return false;
    }
    return nowMs - sinceMs >= waitMs && this.#since.delete(caller);
  }

  #countCaller(caller: string, nowMs: number): void {
    this.#since.delete(caller);
    this.#since.set(caller, nowMs);
    if (this.#since.size <= CALLERS_MAX) return;
    const [oldest] = this.#since.keys();
    this.#since.delete(oldest!);
  }
}
