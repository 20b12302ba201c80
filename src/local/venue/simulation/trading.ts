import type { Side } from '#domain/market';
import type { Random } from '#system/random';
import { opposite } from '../frames/frames.js';
import { ONE_USD_TICKS } from '../market/book-view.js';
import type { LiveMarket } from '../market/live-market.js';
import type { OutcomeIndex } from '../market/market-spec.js';
import { type Fill, matchTaker } from '../market/matching.js';
import type { Quoting } from '../market/quoting.js';
import { chance, gaussian } from '../market/seeded-random.js';
import type { TapeRow } from '../market/tape-rows.js';
import { pickWallet, VENUE_WALLETS, type VenueWallet } from '../market/wallets.js';

/** One order that took liquidity, in the words of the token it was sent for. */
export interface Trade {
  readonly wallet: VenueWallet;
  readonly outcome: OutcomeIndex;
  readonly side: Side;
  /** In prices of the first outcome, best first; never empty. */
  readonly fills: readonly Fill[];
}

const MICROS = 1_000_000;

/**
 * Lets one wallet send a market order, matches it, and returns what happened; null if the book had
 * nothing for it.
 */
export function letSomeoneTrade(quoting: Quoting, random: Random): Trade | null {
  const wallet = pickWallet(random);
  const buysFirst = wantsFirstOutcome(wallet, quoting, random);
  const eats: Side = quoting.shape.sides === 'both' && buysFirst ? 'SELL' : 'BUY';
  const outcome: OutcomeIndex = chance(random, 0.25) ? 1 : 0;
  const side: Side = (eats === 'SELL') === (outcome === 0) ? 'BUY' : 'SELL';
  const fills = matchTaker(quoting.book, {
    eats,
    sizeMicros: clipMicros(wallet, quoting, random),
    levelsMax: wallet.style === 'whale' ? 3 : 2,
    restRemains: quoting.shape.sides === 'both' && chance(random, 0.3),
  });
  return fills.length === 0 ? null : { wallet, outcome, side, fills };
}

function wantsFirstOutcome(wallet: VenueWallet, quoting: Quoting, random: Random): boolean {
  const towardsFair = quoting.fairTicks > quoting.book.midTicks;
  if (wallet.style === 'sharp') return chance(random, 0.85) ? towardsFair : !towardsFair;
  if (wallet.style === 'hopeful') return quoting.book.midTicks < ONE_USD_TICKS / 2;
  return chance(random, 0.5);
}

function clipMicros(wallet: VenueWallet, quoting: Quoting, random: Random): number {
  const usd = wallet.clipUsd * (wallet.style === 'whale' ? 10 : 1) * Math.exp(gaussian(random) * 0.7);
  const shares = Math.max(5, usd / (quoting.book.midTicks / ONE_USD_TICKS));
  return Math.round(shares * 100) * 10_000;
}

/** Returns the side of the first outcome's book that a trade takes from. */
export function sideTakenBy({ side, outcome }: Pick<Trade, 'side' | 'outcome'>): Side {
  return (side === 'BUY') === (outcome === 0) ? 'SELL' : 'BUY';
}

/** Returns a price of the first outcome as a price of this outcome. */
export function priceFor(outcome: OutcomeIndex, firstOutcomeTicks: number): number {
  return outcome === 0 ? firstOutcomeTicks : ONE_USD_TICKS - firstOutcomeTicks;
}

export function filledMicros(trade: Trade): number {
  return trade.fills.reduce((sum, fill) => sum + fill.sizeMicros, 0);
}

/**
 * Returns the rows of the trade for the tape: the taker's at its average price, then one per level
 * for the makers.
 */
export function tapeRows(trade: Trade, market: LiveMarket, atMs: number, transactionHash: string): TapeRow[] {
  const { outcome, side, fills } = trade;
  const about = { market, outcome, timestampS: Math.floor(atMs / 1000), transactionHash };
  const micros = filledMicros(trade);
  const cost = fills.reduce((sum, fill) => sum + fill.sizeMicros * priceFor(outcome, fill.priceTicks), 0);
  const average = Math.round((cost / micros / ONE_USD_TICKS) * 1e9) / 1e9;
  const taker = { ...about, wallet: trade.wallet, side, shares: micros / MICROS, price: average, taker: true };
  const makers = fills.map((fill, index) => ({
    ...about,
    wallet: makerOf(trade, index),
    side: opposite(side),
    shares: fill.sizeMicros / MICROS,
    price: priceFor(outcome, fill.priceTicks) / ONE_USD_TICKS,
    taker: false,
  }));
  return [taker, ...makers];
}

/**
 * Somebody else stood on the other side; which of them does not matter to anything but the tape.
 */
function makerOf(trade: Trade, index: number): VenueWallet {
  const others = VENUE_WALLETS.filter((wallet) => wallet !== trade.wallet);
  return others[(trade.fills.length + index + (trade.fills[0]?.priceTicks ?? 0)) % others.length] ?? trade.wallet;
}
