import { asObject } from '#domain/json';
import { plain } from '../plain-text.js';
import { type Frame, line } from './frame.js';

/** Lines of what it costs to leave, and the empty one behind it. */
export const EXIT_LINES = 3;

/** Draws what it costs to get out again; nothing where it was not asked for. */
export function exitLines(body: Readonly<Record<string, unknown>>, frame: Frame): readonly string[] {
  if (!('exit' in body)) return [];
  const exit = asObject(body.exit);
  if (exit === null) return [line(frame, `no exit: ${plain(body.exit_reason)}`), ''];
  const at = (name: string) => plain(exit[name]);
  const texts = [
    `exit ${at('side')} ${at('shares')} shares for ${at('usd')} USD, fee ${at('taker_fee_usd')}: ${at('verdict')}`,
    `round trip ${at('round_trip_cost_usd')} USD, ${at('round_trip_cost_cents_per_share')} c/share   ` +
      `break-even ${exit.break_even_price === null ? 'at no price' : at('break_even_price')}`,
  ];
  return [...texts.map((text) => line(frame, text)), ''];
}
