import type { Fill } from '#domain/rating/fill';

/**
 * Returns what makes fills share their texts: rows of a busy wallet name the same tokens and
 * markets a hundred thousand times, and each row that was parsed has them as texts of its own.
 */
export function shareTexts(): (fill: Fill) => Fill {
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const interned = texts.get(text);
    if (interned === undefined) texts.set(text, text);
    return interned ?? text;
  };
  return (fill) => ({
    ...fill,
    wallet: shared(fill.wallet),
    token: shared(fill.token),
    condition: shared(fill.condition),
    event: shared(fill.event),
  });
}
