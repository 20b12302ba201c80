import { fateOf, type LoggedOrder } from '#client/guard/report/logged-order';
import type { PublicFill } from '#client/http/public-fills';
import type { PostedOrder } from '#local/venue/orders/posted-order';

/** What is stored, and what the venue saw and matched. */
export interface Evidence {
  readonly capUsd: number;
  /** What the claims folder counts. */
  readonly claimedUsd: number;
  readonly logged: readonly LoggedOrder[];
  /** All orders that arrived at the venue's door. */
  readonly posted: readonly PostedOrder[];
  /** What it matched. */
  readonly fills: readonly PublicFill[];
}

const HAIR_USD = 1e-6;

/** Returns what is wrong with what is stored and what was matched; nothing if all is well. */
export function faultsIn({ capUsd, claimedUsd, logged, posted, fills }: Evidence): readonly string[] {
  const faults: string[] = [];
  const isOver = (usd: number, limitUsd: number) => usd > limitUsd + HAIR_USD;
  const exitsUsd = sum(logged, (order) => (order.isExit && order.order.side === 'BUY' ? makerUsd(order) : 0));
  const spentUsd = sum(fills, ({ side, shares, price }) => (side === 'BUY' ? shares * price : 0));
  if (isOver(spentUsd - exitsUsd, capUsd)) faults.push(`above the cap: ${spentUsd} of ${capUsd} USD are spent`);
  if (isOver(claimedUsd, capUsd)) faults.push(`above the cap: ${claimedUsd} of ${capUsd} USD are claimed`);
  if (isOver(spentUsd - exitsUsd, claimedUsd)) faults.push(`${spentUsd} USD are spent, and ${claimedUsd} claimed`);

  // What may be matched, now or later, as far as its process knows.
  const open = logged.filter((order) => !order.isExit && order.posted !== null && fateOf(order) !== 'rejected');
  const openUsd = sum(open, makerUsd);
  if (isOver(openUsd, claimedUsd))
    faults.push(`given back: ${openUsd} USD may be spent, and ${claimedUsd} are claimed`);

  if (new Set(posted.map(({ signed }) => String(signed.signature))).size < posted.length) faults.push('sent twice');
  const left = logged.filter((order) => order.posted !== null);
  for (const { makerAmount, takerAmount } of posted) {
    const isThis = ({ posted: line }: LoggedOrder) =>
      line?.amounts?.makerMicros === Number(makerAmount) && line.amounts.takerMicros === Number(takerAmount);
    const at = left.findIndex(isThis);
    const order = left[at];
    if (order === undefined) faults.push(`sent more often than it was written down: ${makerAmount} for ${takerAmount}`);
    else if (fateOf(order) === 'not_sent') faults.push(`called not sent, although it went out: ${order.id}`);
    if (order !== undefined) left.splice(at, 1);
  }
  return faults;
}

const makerUsd = ({ order, posted }: LoggedOrder) =>
  order.side === 'BUY' ? (posted?.amounts?.makerMicros ?? 0) / 1e6 : 0;

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
