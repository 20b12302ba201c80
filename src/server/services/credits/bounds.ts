import { Problem } from '#domain/errors';

/** Longest note that is kept beside a grant or a revocation. */
const NOTE_LENGTH_MAX = 200;

/** Throws a Problem unless the value is a whole number from 1 to the limit. */
export function assertWhole(name: string, value: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return;
  throw new Problem('invalid_parameter', `${name} must be a whole number from 1 to ${max}`);
}

/** Throws a Problem where a note is too long to be kept. */
export function assertNote(note: string): void {
  if (note.length <= NOTE_LENGTH_MAX) return;
  throw new Problem('invalid_parameter', `note must be at most ${NOTE_LENGTH_MAX} characters`);
}
