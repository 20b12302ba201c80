import { asObject } from '#domain/json';
import { plain } from '../plain-text.js';
import { type Frame, line } from './frame.js';

/** Lines of a plan, and the empty one behind it. */
export const PLAN_LINES = 4;

/**
 * Draws the order in amounts that the venue accepts, or why there is none; nothing where it was not
 * asked for.
 */
export function planLines(body: Readonly<Record<string, unknown>>, frame: Frame): readonly string[] {
  if (!('plan' in body)) return [];
  const plan = asObject(body.plan);
  const texts = plan === null ? [`no plan: ${plain(body.plan_reason)}`] : textsOf(plan);
  return [...texts.map((text) => line(frame, text)), ''];
}

function textsOf(plan: Readonly<Record<string, unknown>>): readonly string[] {
  const field = (name: string) => plain(plan[name]);
  const { amount, price } = asObject(plan.for_client) ?? {};
  const rest =
    plan.side === 'SELL'
      ? `leaves ${field('left_shares')} shares`
      : `needs ${field('usd_needed')} to ${field('usd_needed_max')} USD, leaves ${field('unspent_usd')}`;
  return [
    `plan ${field('order_type')} ${field('side')} ${field('shares')} shares at ${field('worst_price')} or better, ${field('form')}: ` +
      field('verdict'),
    `maker ${field('maker_amount')}   taker ${field('taker_amount')}   for a client ${plain(amount)} at ${plain(price)}`,
    rest,
  ];
}
