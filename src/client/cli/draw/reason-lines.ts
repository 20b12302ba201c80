import { plain, wrap } from '../plain-text.js';
import { type Frame, line } from './frame.js';

const CAVEATS = {
  stale: 'stale: this answer is old or was given before; ask again before you act',
  example: 'example: an invented answer, nothing to act upon',
} as const;

/**
 * Returns the reasons of an answer as lines, the caveat first; at most `linesMax`, and the last
 * says what is missing.
 */
export function reasonLines(
  received: unknown,
  caveat: keyof typeof CAVEATS | null,
  frame: Frame,
  linesMax: number,
): readonly string[] {
  const reasons = Array.isArray(received) ? received.slice(0, linesMax + 1).map(plain) : [];
  const all = caveat === null ? reasons : [CAVEATS[caveat], ...reasons];
  const lines = all.flatMap((reason) =>
    wrap(reason, frame.columns - 2).map((text, at) => `${at === 0 ? '- ' : '  '}${text}`),
  );
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax - 1), line(frame, '  … and more: --json shows all of it', 'quiet')];
}
