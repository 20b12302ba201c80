import { asObject } from '#domain/json';
import type { Answer } from '../../answers.js';
import { plain } from '../plain-text.js';
import { figure, moment } from './figures.js';
import { type Frame, line } from './frame.js';

/** Returns in one line what an answer cost, and until when it may be acted upon. */
export function paidLine({ body, cached }: Answer<unknown>, frame: Frame): string {
  const received = asObject(body) ?? {};
  const validUntil = asObject(received.meta)?.valid_until;
  const until = typeof validUntil === 'string' ? `   valid until ${moment(Date.parse(validUntil))}` : '';
  return line(
    frame,
    `${cached ? 'kept from an earlier call, free' : costText(asObject(received.paid))}${until}`,
    'quiet',
  );
}

function costText(paid: Readonly<Record<string, unknown>> | null): string {
  if (paid === null) return 'nothing was charged';
  if (paid.price_paid_usdc !== undefined) {
    return `paid ${plain(paid.price_paid_usdc)} USDC in ${plain(paid.transaction).slice(0, 18)}…`;
  }
  const used = paid.credits_used === 1 ? '1 credit' : `${figure(paid.credits_used, 0)} credits`;
  return `paid ${used}, ${figure(paid.credits_remaining, 0)} left`;
}
