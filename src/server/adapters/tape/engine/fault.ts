import { OutsideError } from '#domain/errors';

const UPSTREAM = 'tape';

/** Returns an error for what will not get better by itself: the text says what to do. */
export function tapeFault(text: string, cause?: unknown): OutsideError {
  return new OutsideError(UPSTREAM, text, { failure: 'final', cause });
}

/** Returns an error for what may succeed when it is tried again. */
export function tapeHitch(text: string, cause?: unknown): OutsideError {
  return new OutsideError(UPSTREAM, text, { failure: 'retryable', cause });
}

/**
 * Returns what a method of the tape rejects with: whatever else fails may be repeated, because
 * nothing is ever added in part.
 */
export function toTapeError(error: unknown): OutsideError {
  return error instanceof OutsideError ? error : tapeHitch(textOf(error), error);
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
