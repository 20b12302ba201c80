import type { DamagedPurchase } from '../../state/damaged-purchase.js';
import type { Purchase } from '../../state/purchase.js';
import { type Limits, usdText } from '../../terms/limits.js';
import { plain } from '../plain-text.js';
import { moment } from './figures.js';
import { type Frame, line } from './frame.js';

/** What a wallet may spend, what it spent, and what is open. */
export interface Spending {
  readonly payer: string;
  readonly limits: Limits;
  readonly cents: number;
  readonly packs: number;
  readonly open: readonly Purchase[];
  readonly damaged: readonly DamagedPurchase[];
}

const OPEN_SHOWN_MAX = 50;

/** Draws the limits of a wallet and what is used of them. */
export function drawSpending(spending: Spending, frame: Frame): readonly string[] {
  const { payer, limits, cents, packs, open, damaged } = spending;
  const { perCallMicros, dailyMicros, packsPerDay, authorizationS, payTo } = limits;
  return [
    line(frame, `payer ${payer}`),
    line(frame, `per call     at most ${usdText(perCallMicros)}`),
    line(frame, `in 24 hours  ${usdText(BigInt(cents) * 10_000n)} spent of ${usdText(dailyMicros)} for calls`),
    line(frame, `             ${packs} bought of ${packsPerDay} credit ${packsPerDay === 1 ? 'pack' : 'packs'}`),
    line(
      frame,
      `payment      open for at most ${authorizationS} s, to ${payTo ?? 'the payee that was pinned at first'}`,
    ),
    line(frame, open.length === 0 ? 'no open purchases' : 'open purchases: the same command again resumes each'),
    ...open.slice(0, OPEN_SHOWN_MAX).flatMap((purchase) => purchaseLines(purchase, frame)),
    ...damaged.slice(0, OPEN_SHOWN_MAX).map(damagedLine),
  ];
}

function purchaseLines(purchase: Purchase, frame: Frame): readonly string[] {
  const { id, request, begunAtMs } = purchase;
  return [
    line(frame, `- ${id} since ${moment(begunAtMs)}`),
    line(frame, `  ${amountText(purchase)}`),
    line(frame, `  ${request.method} ${plain(request.url)}`, 'quiet'),
  ];
}

/** Never cut off: it is the file to remove. */
function damagedLine({ path, overAtMs }: DamagedPurchase): string {
  return `${plain(path)} is damaged: it may be charged until ${moment(overAtMs)}; after that remove it`;
}

function amountText({ lane, unsent }: Purchase): string {
  if (lane.kind === 'credits') return 'credits';
  const { value, validBefore } = lane.authorization;
  const charged = unsent ? 'not sent yet' : `may be charged until ${moment(Number(validBefore) * 1e3)}`;
  const state = lane.signature === null ? 'not signed yet' : charged;
  return `${usdText(BigInt(value))}, ${state}`;
}
