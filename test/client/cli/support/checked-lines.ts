import { expect } from 'chai';
import { widthOf } from '#client/cli/plain-text';

/** What must never reach a terminal from an answer. */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Fails unless these are at most so many lines, each a line and nothing else, and none wider than
 * the terminal.
 */
export function checkLines(lines: readonly string[], linesMax: number, columns = 80): void {
  expect(lines.length).to.be.at.most(linesMax);
  for (const line of lines) {
    expect(line).to.not.match(HARMFUL);
    expect(widthOf(line), JSON.stringify(line)).to.be.at.most(columns);
  }
}
