/**
 * Texts of strangers on a terminal: market names, wallet names and reasons are written by anybody,
 * and none of them may move the cursor, change colours, turn the writing direction or break a
 * column.
 */

/** Control, format and private characters, ends of lines, and what shows nothing. */
const HARMFUL = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
const VARIATIONS = /\p{Variation_Selector}+/gu;
/** More marks on one letter than any language writes reach into the lines above and below. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** One column for each character: nearly all texts, and much faster to measure. */
const SIMPLE = /^[\x20-\x7e]*$/;
/** Longer than anything that is shown whole. */
const CHARS_MAX = 2_000;
const REPLACEMENT = '\ufffd';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns any value as one line of text that a terminal only prints. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return '?';
  return String(value)
    .slice(0, CHARS_MAX)
    .replace(VARIATIONS, '')
    .replace(HARMFUL, REPLACEMENT)
    .replace(/\p{Zs}/gu, ' ')
    .replace(STACKED_MARKS, '$1');
}

/** Returns how many columns a text takes. */
export function widthOf(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{M}+$/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Returns a text that takes at most so many columns; what is cut off is shown by an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (text.length <= columns && SIMPLE.test(text)) return text;
  return headOf(text, columns) === text ? text : `${headOf(text, columns - 1)}…`;
}

/** Returns the longest beginning of a text that takes at most so many columns. */
function headOf(text: string, columns: number): string {
  if (SIMPLE.test(text)) return text.slice(0, Math.max(0, columns));
  let head = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    head += segment;
  }
  return head;
}

/** Returns a text as lines of at most so many columns, broken at spaces where there are any. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > columns) {
      const head = headOf(line, columns) || line.slice(0, 1);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

/** Returns a text with spaces after it, so that it takes so many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
