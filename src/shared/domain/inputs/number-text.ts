/** The form of a number in text. */
export const NUMBER_TEXT = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Longest text that is looked at. */
export const NUMBER_CHARS_MAX = 64;

/**
 * Returns the number that a decimal text of a query, a command line or a field is ("250", "0.5",
 * "1e3"), or null: signs of money and separators of thousands are not guessed at.
 */
export function readNumber(text: string): number | null {
  const given = text.trim();
  if (given.length > NUMBER_CHARS_MAX || !NUMBER_TEXT.test(given)) return null;
  const number = Number(given);
  return Number.isFinite(number) ? number : null;
}

/** What to write instead of a text that is no number. */
export const NUMBER_FORM = 'a number such as 250 or 0.5, without signs of money and separators';
