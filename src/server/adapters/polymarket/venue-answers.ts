import { OutsideError } from '#domain/errors';
import type { HttpJson, JsonAnswer } from '../http-client/json.js';

/**
 * Ids in one question: an id has up to 78 characters, and an address of four thousand passes
 * everywhere.
 */
export const IDS_PER_CALL = 40;

/** Returns the body of an answer. Throws if the upstream refused. */
export function bodyOf({ upstream }: HttpJson, answer: JsonAnswer, what: string): unknown {
  if (answer.kind === 'ok') return answer.body;
  const { status } = answer;
  throw new OutsideError(upstream, `refused to show ${what} (${status})`, { failure: 'final', status });
}

/** Whether the upstream has no such thing, or no such address. */
export function isAbsent(answer: JsonAnswer): boolean {
  return answer.kind === 'refused' && (answer.status === 404 || answer.status === 410);
}

/** Returns the error of an answer that has another form than it should have. */
export function unreadable({ upstream }: HttpJson, what: string): OutsideError {
  return new OutsideError(upstream, `answered something other than ${what}`, { failure: 'final' });
}

/** Returns the items in groups of at most `size`, in their order. */
export function inGroups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let i = 0; i < items.length; i += size) groups.push(items.slice(i, i + size));
  return groups;
}
