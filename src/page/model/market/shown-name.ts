/** Longest name that is shown whole: what strangers wrote may have any length. */
const NAME_LENGTH_MAX = 140;
/** Control characters, and marks that would turn the direction of what stands beside them. */
const UNSHOWN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * Returns a name by strangers as it is shown in one line, where no element can fence it in: an
 * option, a title.
 */
export function shownName(text: string): string {
  const line = text.replaceAll(UNSHOWN, ' ').replaceAll(/\s+/g, ' ').trim();
  const signs = [...line.slice(0, 2 * NAME_LENGTH_MAX)];
  return signs.length <= NAME_LENGTH_MAX ? line : `${signs.slice(0, NAME_LENGTH_MAX - 1).join('')}…`;
}
