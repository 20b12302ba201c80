import { OutsideError, UnreadableAnswer } from '#domain/errors';
import { parseObject } from '#domain/json';
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

/**
 * Returns what the upstream says in a refusal of its own, or null. An edge in front of it refuses
 * too, with a page of HTML, other JSON, a text or nothing: that says nothing about what was asked
 * for.
 */
export function refusalOf(answer: JsonAnswer): string | null {
  if (answer.kind !== 'refused') return null;
  const said = parseObject(answer.text)?.error;
  return typeof said === 'string' && said !== '' ? said : null;
}

/** Whether the upstream says itself that it has no such thing, or no such address. */
export function isAbsent(answer: JsonAnswer): boolean {
  return answer.kind === 'refused' && (answer.status === 404 || answer.status === 410) && refusalOf(answer) !== null;
}

/** Returns the error of an answer that has another form than it should have. */
export function unreadable({ upstream }: HttpJson, what: string): UnreadableAnswer {
  return new UnreadableAnswer(upstream, `answered something other than ${what}`);
}

/** Returns the items in groups of at most `size`, in their order. */
export function inGroups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let i = 0; i < items.length; i += size) groups.push(items.slice(i, i + size));
  return groups;
}
