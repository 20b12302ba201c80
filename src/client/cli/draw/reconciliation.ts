import type { ReconciledOrder, Reconciliation } from '../../guard/report/reconcile.js';
import { plain } from '../plain-text.js';
import { figure, moment, usd } from './figures.js';
import { type Frame, line } from './frame.js';

/** The newest of them; --json has all. */
const ORDERS_SHOWN_MAX = 50;
const MOMENT_COLUMNS = 21;
const CELL_COLUMNS = 9;

/** Draws planned orders against public fills, the newest first, and their sums. */
export function drawReconciliation({ orders, totals, other_fills }: Reconciliation, frame: Frame): readonly string[] {
  if (orders.length === 0) return ['No order of the log went out in these days.'];
  const head = 'AT'.padEnd(MOMENT_COLUMNS) + cells(['SIDE', 'FOUND', 'PLANNED', 'FILLED', 'VWAP', 'SLIP c']);
  const shown = orders.toReversed().slice(0, ORDERS_SHOWN_MAX);
  const rest = orders.length - shown.length;
  const { filled, partly, none, missing } = totals;
  return [
    line(frame, head, 'quiet'),
    ...shown.map((order) => line(frame, rowOf(order), needsLook(order) ? 'care' : undefined)),
    ...(rest > 0 ? [line(frame, `… and ${rest} older: --json has all of them`, 'quiet')] : []),
    line(
      frame,
      `${orders.length} orders: ${filled} filled, ${partly} partly, ${none} unfilled, ${missing} missing`,
      'strong',
    ),
    `filled ${usd(totals.filled_usd)} USD, slippage beyond plan ${usd(totals.slippage_beyond_plan_usd)} USD, fees about ${usd(totals.fee_usd)} USD`,
    line(frame, `${other_fills} other fills of these wallets`, 'quiet'),
  ];
}

function rowOf(order: ReconciledOrder): string {
  const { at_ms, side, found, answered, planned_shares, filled_shares, filled_vwap, slippage_beyond_plan_cents } =
    order;
  const word = answered === 'unknown' && found === 'none' ? 'unknown' : found;
  const figures = [
    figure(planned_shares, 2),
    figure(filled_shares, 2),
    figure(filled_vwap, 4, 4),
    figure(slippage_beyond_plan_cents, 2, 2),
  ].map((text) => (text === '?' ? '-' : text));
  return moment(at_ms).padEnd(MOMENT_COLUMNS) + cells([side, plain(word), ...figures]);
}

function needsLook({ found, answered, is_beyond_worst_price: isBeyond }: ReconciledOrder): boolean {
  return isBeyond || found === 'missing' || (answered === 'unknown' && found === 'none');
}

const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(CELL_COLUMNS)).join('');
