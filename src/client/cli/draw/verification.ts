import type { Check } from '../../evidence/check.js';
import { padded, plain, wrap } from '../plain-text.js';
import { type Frame, line, type Style } from './frame.js';

const NAME_COLUMNS = 25;
const INDENT = ' '.repeat(7);
/** Lines for what is said of a fault. */
const FAULT_LINES_MAX = 6;

/**
 * Draws a line per check, and of a fault as many as it takes. What there is nothing to check of is
 * no fault.
 */
export function drawChecks(checks: readonly Check[], frame: Frame): readonly string[] {
  return checks.flatMap(({ name, holds, says }) => {
    const text = `${padded(name, NAME_COLUMNS)} ${plain(says)}`;
    if (holds === null) return [`${wordOf(frame, 'quiet', 'none ')}${shortened(frame, text)}`];
    if (holds) return [`${wordOf(frame, 'good', 'holds')}${shortened(frame, text)}`];
    const [first = '', ...rest] = wrap(text, frame.columns - INDENT.length).slice(0, FAULT_LINES_MAX);
    return [`${wordOf(frame, 'bad', 'FAILS')}${first}`, ...rest.map((more) => `${INDENT}${more}`)];
  });
}

function wordOf({ paint }: Frame, style: Style, word: string): string {
  return `${paint(style, word)}${' '.repeat(INDENT.length - word.length)}`;
}

function shortened(frame: Frame, text: string): string {
  return line({ ...frame, columns: frame.columns - INDENT.length }, text);
}
