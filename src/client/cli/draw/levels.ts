import { figure } from './figures.js';
import { type Frame, line } from './frame.js';
import type { LevelsTaken, TakenLevel } from './levels-taken.js';

const PRICE_COLUMNS = 8;
const FIGURE_COLUMNS = 14;
/** Of what is below it a bar would show nothing. */
const BAR_COLUMNS_MIN = 8;

/**
 * Draws the levels that an order takes, a line each with a bar: full where it takes, light where it
 * leaves something. Of more levels than fit the best ones and the worst one are shown. At most
 * `rowsMax` lines and a head.
 */
export function drawLevels({ levels, unfilledUsd }: LevelsTaken, frame: Frame, rowsMax: number): readonly string[] {
  const restLine = unfilledUsd > 0 ? [line(frame, `not filled: ${figure(unfilledUsd, 2, 2)} USD`, 'bad')] : [];
  const room = Math.max(3, rowsMax - restLine.length);
  const shown = levels.length <= room ? levels : [...levels.slice(0, room - 2), levels.at(-1)!];
  const largestUsd = Math.max(...shown.map(({ usd }) => usd));
  const rows = shown.map((level) => levelLine(level, largestUsd, frame));
  const hidden = levels.slice(shown.length - 1, -1);
  if (shown.length < levels.length) rows.splice(-1, 0, hiddenLine(hidden, frame));
  return [line(frame, headLine(), 'quiet'), ...rows, ...restLine];
}

function headLine(): string {
  return `${cells('price', 'shares', 'USD')}█ taken  ░ left`;
}

function cells(price: string, shares: string, usd: string): string {
  return `${price.padStart(PRICE_COLUMNS)}${shares.padStart(FIGURE_COLUMNS)}${usd.padStart(FIGURE_COLUMNS)}  `;
}

function levelLine({ price, shares, usd, takenUsd }: TakenLevel, largestUsd: number, frame: Frame): string {
  const text = cells(price, figure(shares, 2, 2), figure(usd, 2, 2));
  const room = Math.max(BAR_COLUMNS_MIN, frame.columns - text.length);
  const whole = largestUsd === 0 ? 0 : Math.max(1, Math.round((room * usd) / largestUsd));
  // Something is taken of every level that is shown, so that its bar begins with it.
  const full = usd === 0 ? 0 : Math.max(1, Math.round((whole * takenUsd) / usd));
  return line(frame, `${text}${'█'.repeat(full)}${'░'.repeat(Math.max(0, whole - full))}`);
}

function hiddenLine(hidden: readonly TakenLevel[], frame: Frame): string {
  const usd = hidden.reduce((sum, level) => sum + level.usd, 0);
  const shares = hidden.reduce((sum, level) => sum + level.shares, 0);
  return line(frame, `${cells('…', figure(shares, 2, 2), figure(usd, 2, 2))}${hidden.length} more levels`, 'quiet');
}
