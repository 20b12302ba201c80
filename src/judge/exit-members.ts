import type { ExitMembers, OrderExit } from '#api/order-exit';
import { tickSizeTicks } from '#domain/book/tick-sizes';
import { formatScaled, formatUnits } from '#domain/decimal';
import { divideRounded, toMicros } from '#domain/money';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { breakEvenTicks } from '#domain/plan/break-even';
import { reachOfShares, reachOfUsd } from '#domain/plan/reach';
import { type Assessment, assess } from './assess.js';
import type { OtherOutcome } from './remedies.js';

const MICROS = 1_000_000n;
/** A price on the finest grid, where the venue named none that is known. */
const FINEST_TICKS = 1;

/** What an exit is computed from, beside the question of its entry. */
export interface ExitContext {
  readonly assessment: Assessment;
  /** As the venue wrote it with the book. */
  readonly tickSize: string | null;
  /** null: without a book at hand that is fresh enough. */
  readonly other: OtherOutcome | null;
}

/** A taking order with its fee, in micro-USD. */
interface Taken {
  readonly usdMicros: bigint;
  readonly feeMicros: bigint;
}

/**
 * Returns what `exit=1` adds to an answer (docs/interface.md, "Exit"): the opposite taking order for
 * the shares of the entry. The entry takes from the other side of the book, so what it leaves is the
 * same book for the exit. Pure.
 */
export function toExitMembers(question: OrderQuestion, { assessment, tickSize, other }: ExitContext): ExitMembers {
  const { side, usd, book, market } = question;
  const isBuy = side === 'BUY';
  const entry = reachOfUsd(isBuy ? book.asks : book.bids, toMicros(usd));
  if (entry === null || entry.sharesMicros === 0n) return { exit: null, exit_reason: 'entry_not_filled' };
  const { sharesMicros } = entry;
  const exit = reachOfShares(isBuy ? book.bids : book.asks, sharesMicros);
  if (exit === null || exit.usdMicros === 0n) return { exit: null, exit_reason: 'thin_book' };
  const exitSide = isBuy ? 'SELL' : 'BUY';
  const judged = assess({ ...question, side: exitSide, usd: Number(exit.usdMicros) / 1e6 });
  const [into, out] = [
    { usdMicros: entry.usdMicros, feeMicros: feeMicrosOf(assessment) },
    { usdMicros: exit.usdMicros, feeMicros: feeMicrosOf(judged) },
  ];
  const costMicros = isBuy ? spent(into) - earned(out) : spent(out) - earned(into);
  const evenTicks = breakEvenTicks({
    ...{ exitSide, sharesMicros, fee: market.fee, tickTicks: tickSizeTicks(tickSize) ?? FINEST_TICKS },
    usdMicros: isBuy ? spent(into) : earned(into),
  });
  const { numbers } = judged.facts;
  return {
    exit: {
      side: exitSide,
      shares: formatUnits(sharesMicros, 6),
      expected_vwap: numbers.expectedVwap,
      expected_slippage_cents: numbers.expectedSlippageCents,
      usd: formatUnits(out.usdMicros, 6),
      taker_fee_usd: formatUnits(out.feeMicros, 6),
      round_trip_cost_usd: signed(costMicros, 6),
      round_trip_cost_cents_per_share: signed(divideRounded(costMicros * MICROS, sharesMicros), 4),
      break_even_price: evenTicks === null ? null : formatScaled(evenTicks, 4),
      verdict: judged.verdict,
      reason_codes: [...judged.codes],
      complement: isBuy ? complementOf(question, sharesMicros, other) : null,
    },
  };
}

function complementOf(
  question: OrderQuestion,
  sharesMicros: bigint,
  other: OtherOutcome | null,
): OrderExit['complement'] {
  const bought = other === null ? null : reachOfShares(other.book.asks, sharesMicros);
  if (other === null || bought === null || bought.usdMicros === 0n) return null;
  const { book, bookAgeMs, tokenId } = other;
  const judged = assess({ ...question, book, bookAgeMs, side: 'BUY', usd: Number(bought.usdMicros) / 1e6 });
  const taken = { usdMicros: bought.usdMicros, feeMicros: feeMicrosOf(judged) };
  return {
    token_id: tokenId,
    usd: formatUnits(taken.usdMicros, 6),
    taker_fee_usd: formatUnits(taken.feeMicros, 6),
    net_usd: signed(sharesMicros - spent(taken), 6),
  };
}

function feeMicrosOf({ facts }: Assessment): bigint {
  return BigInt(Math.round(facts.numbers.takerFeeUsd * 1e6));
}

const spent = ({ usdMicros, feeMicros }: Taken) => usdMicros + feeMicros;
const earned = ({ usdMicros, feeMicros }: Taken) => usdMicros - feeMicros;

function signed(units: bigint, places: number): string {
  return units < 0n ? `-${formatUnits(-units, places)}` : formatUnits(units, places);
}
