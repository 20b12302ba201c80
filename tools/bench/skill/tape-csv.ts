import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';
import { messyFills, tidyFills, walletAddress } from './entry-fills.js';
import { populationOf } from './populations.js';
import { entriesOf } from './wallet-entries.js';
import type { World } from './world.js';

/** The columns of a tape export. */
export const FILL_COLUMNS = 'wallet,token,condition,event,outcome_index,side,size,price,timestamp,tx';
export const MARKET_COLUMNS = 'condition,category,fee_rate,scheduled_end,resolved_at,payout_0,payout_1';

export interface TapeFiles {
  /** Paths; gzip where they end in ".gz". */
  readonly fills: string;
  readonly markets: string;
}

/**
 * Writes the fills of wallets 0 to `wallets` - 1 and all markets, as a tape export has them. Fills
 * go by wallet and time.
 */
export async function writeTape(world: World, seed: number, wallets: number, files: TapeFiles): Promise<void> {
  await writeLines(files.markets, marketLines(world));
  await writeLines(files.fills, fillLines(world, seed, wallets));
}

/** Returns everything that a wallet does on the tape, as a real source tells it. */
export function walletFills(world: World, seed: number, wallet: number): Fill[] {
  const entries = entriesOf(world, populationOf(wallet), seed, wallet);
  return messyFills(tidyFills(world, walletAddress(seed, wallet), entries), seed, wallet);
}

function* marketLines(world: World): Iterable<string> {
  yield MARKET_COLUMNS;
  for (const market of world.markets.values()) yield marketLine(market);
}

function marketLine(market: TapeMarket): string {
  const { condition, category, feeRateMicros, scheduledEndS, resolvedAtS, payoutMicros } = market;
  const payouts = payoutMicros!.map(toDecimal);
  return [condition, category, toDecimal(feeRateMicros), scheduledEndS, resolvedAtS, ...payouts].join(',');
}

function* fillLines(world: World, seed: number, wallets: number): Iterable<string> {
  yield FILL_COLUMNS;
  for (let wallet = 0; wallet < wallets; wallet++) {
    for (const fill of walletFills(world, seed, wallet).sort((a, b) => a.timeS - b.timeS)) yield fillLine(fill);
  }
}

function fillLine(fill: Fill): string {
  const { wallet, token, condition, event, outcomeIndex, side, sizeMicros, priceMicros, timeS, tx } = fill;
  const numbers = [toDecimal(sizeMicros), toDecimal(priceMicros), timeS];
  return [wallet, token, condition, event, outcomeIndex, side, ...numbers, tx].join(',');
}

/** Six decimals at most, and never an exponent: what is written is at least a ten-thousandth. */
function toDecimal(micros: number): string {
  return String(micros / 1e6);
}

const LINES_PER_CHUNK = 5_000;

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const text = Readable.from(chunks(lines));
  const file = createWriteStream(path);
  await (path.endsWith('.gz') ? pipeline(text, createGzip(), file) : pipeline(text, file));
}

function* chunks(lines: Iterable<string>): Iterable<string> {
  let chunk: string[] = [];
  for (const line of lines) {
    if (chunk.push(line) < LINES_PER_CHUNK) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}
