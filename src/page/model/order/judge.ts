import type { OrderExit } from '#api/order-exit';
import type { Ladder } from '#domain/book/ladder';
import type { Outcome } from '#domain/market';
import { toMicros } from '#domain/money';
import { walk } from '#domain/order/exact';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { type Assessment, assess } from '#judge/assess';
import { toExitMembers } from '#judge/exit-members';
import { type LiveVerdict, type ShownMarket, toVerdictBody } from '#judge/verdict-body';
import type { OrderInput } from './order-input.js';
import { type Ticket, ticketOf } from './ticket.js';

/** A market with a book at one moment. */
export interface Scene {
  readonly shown: ShownMarket;
  readonly outcome: Outcome;
  readonly market: OrderQuestion['market'];
  readonly sides: OrderQuestion['book'];
  readonly bookAgeMs: number;
}

/** What an order takes from its side, the best level first. */
export interface Taken {
  readonly fullLevels: number;
  /** Part of the level after those, 0 to below 1. */
  readonly lastPart: number;
  /** The worst price that is taken, in ticks; null: nothing is. */
  readonly worstTicks: number | null;
}

/** An order judged as the service would judge it: its answer, and what is drawn of it. */
export interface Judged {
  readonly body: LiveVerdict;
  readonly taken: Taken;
  /** What an order of the safe size would take; null: no size is safe. */
  readonly safeTaken: Taken | null;
  /** The order in money. */
  readonly ticket: Ticket;
  /** What getting out again at once would take; null: nothing is filled, or the book is too thin. */
  readonly exit: Exit | null;
}

/** The opposite order for the same shares on the same book (docs/interface.md, "Exit"). */
interface Exit {
  readonly answer: OrderExit;
  readonly taken: Taken;
}

/**
 * Judges an order with the code of the service (services/orders/assess.ts); `nowMs` is wall time.
 */
export function judge({ side, usd, thresholds }: OrderInput, scene: Scene, nowMs: number): Judged {
  const { market, sides, bookAgeMs } = scene;
  const question = { side, usd, thresholds, market, book: sides, bookAgeMs, evaluatedAtMs: nowMs };
  const assessment = assess(question);
  const ladder = side === 'BUY' ? sides.asks : sides.bids;
  const { safeSizeUsd } = assessment.facts.numbers;
  return {
    body: toVerdictBody(scene.shown, scene.outcome, assessment, thresholds, nowMs),
    taken: takenBy(ladder, usd),
    ticket: ticketOf(side, toMicros(usd), walk(ladder, toMicros(usd)), assessment.facts.numbers.takerFeeUsd),
    safeTaken: safeSizeUsd === 0 ? null : takenBy(ladder, safeSizeUsd),
    exit: exitOf(question, assessment),
  };
}

function exitOf(question: OrderQuestion, assessment: Assessment): Exit | null {
  // The price step decides on the break-even price only, which is not shown.
  const { exit } = toExitMembers(question, { assessment, tickSize: null, other: null });
  if (exit === null) return null;
  const ladder = exit.side === 'BUY' ? question.book.asks : question.book.bids;
  return { answer: exit, taken: takenBy(ladder, Number(exit.usd)) };
}

function takenBy(ladder: Ladder, usd: number): Taken {
  const { fullLevels, restNotional, lastTicks } = walk(ladder, toMicros(usd));
  if (!restNotional) {
    return { fullLevels, lastPart: 0, worstTicks: fullLevels === 0 ? null : ladder.ticksAt(fullLevels - 1) };
  }
  return {
    fullLevels,
    lastPart: Number(restNotional) / (lastTicks * ladder.sizeAt(fullLevels)),
    worstTicks: lastTicks,
  };
}
