/** Control characters, line ends, and marks that turn the direction of what stands beside them. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Returns what strangers wrote at the venue, a name or a question, as one line of at most so many
 * characters: it ends up in answers, logs and prompts.
 */
export function venueText(text: string, charsMax: number): string {
  // A character is at most two units, so that the rest need not be looked at.
  const line = text
    .trim()
    .slice(0, 2 * charsMax)
    .replace(UNSHOWN, ' ')
    .trim();
  return line.length <= charsMax ? line : [...line].slice(0, charsMax).join('').trim();
}
