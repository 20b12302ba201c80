import type { Check } from '../../evidence/verify.js';
import { padded, plain } from '../plain-text.js';
import { type Frame, line } from './frame.js';

const NAME_COLUMNS = 26;

/** Draws a line per check. What there is nothing to check of is no fault. */
export function drawChecks(checks: readonly Check[], frame: Frame): readonly string[] {
  return checks.map(({ name, holds, says }) => {
    const word = holds === null ? 'none ' : holds ? 'holds' : 'FAILS';
    const style = holds === null ? 'quiet' : holds ? 'good' : 'bad';
    const text = `  ${padded(name, NAME_COLUMNS)}${plain(says)}`;
    return `${frame.paint(style, word)}${line({ ...frame, columns: frame.columns - word.length }, text)}`;
  });
}
