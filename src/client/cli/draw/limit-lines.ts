import { asObject } from '#domain/json';
import { plain } from '../plain-text.js';
import { type Frame, line } from './frame.js';

/** Lines of an order that rests, and the empty one behind it. */
export const LIMIT_LINES = 3;

/** Draws the order resting at a price; nothing where it was not asked for. */
export function limitLines(body: Readonly<Record<string, unknown>>, frame: Frame): readonly string[] {
  const limit = asObject(body.limit);
  if (limit === null) return [];
  const [queue, order] = [asObject(limit.queue_ahead) ?? {}, asObject(limit.order)];
  const where = limit.crosses === true ? 'crosses' : 'rests';
  const texts = [
    `limit ${plain(limit.side)} at ${plain(limit.price)} ${where}   ahead ${plain(queue.better_shares)} better, ` +
      `${plain(queue.same_price_shares)} at the price`,
    order === null
      ? `no order: ${plain(limit.order_reason)}`
      : `maker ${plain(order.maker_amount)}   taker ${plain(order.taker_amount)}   ${plain(order.shares)} shares, ${plain(order.usd)} USD`,
  ];
  return [...texts.map((text) => line(frame, text)), ''];
}
