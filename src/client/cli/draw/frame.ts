import { cutTo } from '../plain-text.js';
import type { Screen } from '../world/world.js';

/** Widest that anything is drawn, and highest. */
const COLUMNS_MAX = 80;
const ROWS_MAX = 24;
const COLUMNS_MIN = 40;
const ROWS_MIN = 17;

const STYLES = { good: 32, care: 33, bad: 31, strong: 1, quiet: 2 } as const;
export type Style = keyof typeof STYLES;

/**
 * What is drawn on: its size, and how a text gets its colour. Without colours `paint` returns the
 * text.
 */
export interface Frame {
  readonly columns: number;
  readonly rows: number;
  paint(style: Style, text: string): string;
}

/**
 * Returns the frame of a screen. There are colours on a terminal only, and never with NO_COLOR
 * (no-color.org).
 */
export function frameOf(screen: Screen, env: Readonly<Record<string, string | undefined>>): Frame {
  const { columns, rows } = screen.size();
  const isColoured = screen.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  return {
    columns: Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns)),
    rows: Math.max(ROWS_MIN, Math.min(ROWS_MAX, rows)),
    paint: (style, text) => (isColoured ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text),
  };
}

/** Returns a verdict in its colour. */
export function paintVerdict({ paint }: Pick<Frame, 'paint'>, verdict: string, text = verdict): string {
  if (['OK', 'COPY'].includes(verdict)) return paint('good', text);
  return paint(verdict === 'VETO' ? 'bad' : 'care', text);
}

/**
 * Returns a line that fits, in a style. Styled last, because what is cut off must not be the end of
 * the colour.
 */
export function line({ columns, paint }: Frame, text: string, style?: Style): string {
  const short = cutTo(text, columns);
  return style === undefined || short === '' ? short : paint(style, short);
}
