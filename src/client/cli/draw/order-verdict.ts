import { asObject } from '#domain/json';
import type { Answer, OrderVerdict } from '../../answers.js';
import { whyNotToActUpon } from '../exit-codes.js';
import { cutTo, plain, widthOf } from '../plain-text.js';
import { EXIT_LINES, exitLines } from './exit-lines.js';
import { figure, usd } from './figures.js';
import { type Frame, line, paintVerdict } from './frame.js';
import { type LevelsTaken, levelsTaken, type TakenLevel } from './levels-taken.js';
import { LIMIT_LINES, limitLines } from './limit-lines.js';
import { paidLine } from './paid-line.js';
import { PLAN_LINES, planLines } from './plan-lines.js';
import { reasonLines } from './reason-lines.js';

/** Lines for reasons; the rest of them is in the JSON. */
const REASON_LINES_MAX = 6;
const LEVEL_LINES_MIN = 3;
/** Lines of everything but levels and reasons. */
const OTHER_LINES = 11;
/** Longer than every verdict there is. */
const VERDICT_COLUMNS_MAX = 16;

/**
 * Draws the verdict of an order: the levels it would take, the numbers that decide, and why. At
 * most `rows` - 1 lines, so that a prompt fits below. Whatever the service wrote, nothing but text
 * gets out.
 */
export function drawOrderVerdict(answer: Answer<OrderVerdict>, frame: Frame): readonly string[] {
  const body = asObject(answer.body) ?? {};
  const taken = levelsTaken(body);
  const caveat = whyNotToActUpon(body, answer.stale);
  const room = frame.rows - 1 - OTHER_LINES - linesOfAdditions(body);
  const reasonRows = Math.max(1, Math.min(REASON_LINES_MAX, room - LEVEL_LINES_MIN));
  const reasons = reasonLines(body.reasons, caveat, frame, reasonRows);
  return [
    ...heading(body, caveat, frame),
    '',
    ...(taken === null ? [line(frame, noLevels(body), 'quiet')] : drawLevels(taken, frame, room - reasons.length)),
    '',
    ...numberLines(body, taken, frame),
    '',
    ...planLines(body, frame),
    ...exitLines(body, frame),
    ...limitLines(body, frame),
    ...reasons,
    paidLine(answer, frame),
  ];
}

function linesOfAdditions(body: Readonly<Record<string, unknown>>): number {
  const lines = [
    ['plan', PLAN_LINES],
    ['exit', EXIT_LINES],
    ['limit', LIMIT_LINES],
  ] as const;
  return lines.reduce((sum, [name, count]) => sum + (name in body ? count : 0), 0);
}

function heading(body: Readonly<Record<string, unknown>>, caveat: string | null, frame: Frame): readonly string[] {
  const [order, market] = [asObject(body.order) ?? {}, asObject(body.market) ?? {}];
  const verdict = plain(body.verdict);
  const title = `${cutTo(verdict, VERDICT_COLUMNS_MAX)}${caveat === null ? '' : ` (${caveat})`}`;
  const what = `  ${plain(order.side)} ${usd(order.usd)} USD ${isGivenBook(market) ? 'on the book given' : `of ${plain(market.outcome)}`}`;
  const rest = line({ ...frame, columns: frame.columns - widthOf(title) }, what);
  return [
    `${paintVerdict(frame, caveat === null ? verdict : 'CAUTION', title)}${rest}`,
    ...(isGivenBook(market)
      ? []
      : [line(frame, plain(market.question), 'strong'), line(frame, plain(market.slug), 'quiet')]),
  ];
}

/** An evaluation is of no market: its names are null (docs/interface.md, "Evaluate"). */
function isGivenBook({ slug }: Readonly<Record<string, unknown>>): boolean {
  return slug === null;
}

function noLevels(body: Readonly<Record<string, unknown>>): string {
  if (isGivenBook(asObject(body.market) ?? {})) return 'The levels are those of the book given.';
  return body.sandbox === true ? 'An invented book: its levels are not shown.' : 'No levels: there is nothing to take.';
}

function numberLines(
  { numbers: received }: Readonly<Record<string, unknown>>,
  taken: LevelsTaken | null,
  frame: Frame,
): readonly string[] {
  const n = asObject(received) ?? {};
  const worst = taken === null ? '' : `worst ${taken.levels.at(-1)!.price}   `;
  return [
    `best ${figure(n.best_price, 4)}   VWAP ${figure(n.expected_vwap, 6)}   ${worst}` +
      `slippage ${figure(n.expected_slippage_cents, 4)} c/share`,
    `safe size ${usd(n.safe_size_usd)} USD   depth ${usd(n.visible_depth_usd)} USD, ` +
      `${figure(n.order_vs_depth_pct, 1)}% of it taken`,
    `fee ${usd(n.taker_fee_usd)} USD, ${figure(n.fee_drag_cents_per_share, 4)} c/share   ` +
      `book ${figure(n.book_age_seconds, 3)} s old   ${plain(n.fee_category)}`,
  ].map((text) => line(frame, text));
}

const PRICE_COLUMNS = 8;
const FIGURE_COLUMNS = 14;
/** Of what is below it a bar would show nothing. */
const BAR_COLUMNS_MIN = 8;

/**
 * Draws the levels that an order takes, a line each with a bar: full where it takes, light where it
 * leaves something. Of more levels than fit the best ones and the worst one are shown. At most
 * `rowsMax` lines and a head.
 */
function drawLevels({ levels, unfilledUsd }: LevelsTaken, frame: Frame, rowsMax: number): readonly string[] {
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
