import { shown } from '#client/text';
import { shownName } from '../market/shown-name.js';

/** Returns one line of what a stranger wrote; a question mark for nothing. */
export function reportedText(value: unknown): string {
  return value === undefined || value === null || value === '' ? '?' : shownName(shown(value));
}
