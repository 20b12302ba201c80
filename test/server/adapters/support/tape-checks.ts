import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { openTape, type TapeOptions } from '#adapters/tape/tape';
import { OutsideError } from '#domain/errors';
import type { Fill } from '#domain/rating/fill';
import { groupBy } from '#domain/rating/group-by';
import { RATING_CONFIG, type RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import type { Tape } from '#ports/tape';
import { tempFolder } from '#test/support/temp-folder';

/** Runs work with a tape in a folder of its own, and removes it afterwards. */
export async function withTape<Result>(
  work: (tape: Tape, dir: string) => Promise<Result>,
  options: Omit<TapeOptions, 'dir'> = {},
): Promise<Result> {
  const dir = tempFolder('tape');
  const tape = await openTape({ dir, ...options });
  try {
    return await work(tape, dir);
  } finally {
    await tape.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Returns the sums of the whole board. */
export async function rateAll(
  tape: Tape,
  asOfS: number,
  config: RatingConfig = RATING_CONFIG,
  options?: Parameters<Tape['rateAll']>[2],
): Promise<readonly RatingSums[]> {
  const board: RatingSums[] = [];
  for await (const batch of tape.rateAll(asOfS, config, options)) board.push(...batch);
  return board;
}

/** Returns what the board has to be: the pure functions, wallet by wallet. */
export function expectedBoard(
  fills: readonly Fill[],
  markets: ReadonlyMap<string, TapeMarket>,
  asOfS: number,
  config: RatingConfig = RATING_CONFIG,
): readonly RatingSums[] {
  const byWallet = groupBy(fills, ({ wallet }) => wallet);
  return [...byWallet]
    .map(([wallet, own]) => sumWallet(wallet, own, markets, asOfS, config))
    .filter(({ firstEntries }) => firstEntries > 0)
    .sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
}

/** Returns in which fields of which wallets two boards differ; the first few. */
export function differences(board: readonly RatingSums[], expected: readonly RatingSums[]): readonly string[] {
  const wallets = (of: readonly RatingSums[]) => of.map(({ wallet }) => wallet).join(' ');
  if (wallets(board) !== wallets(expected)) return [`wallets ${wallets(board)}, not ${wallets(expected)}`];
  const fields = board.flatMap((sums, i) =>
    Object.entries(expected[i]!).flatMap(([field, value]) => {
      const own = sums[field as keyof RatingSums];
      return isDeepStrictEqual(own, value) ? [] : [`${sums.wallet} ${field}: ${show(own)}, not ${show(value)}`];
    }),
  );
  return fields.slice(0, 5);
}

const show = (value: unknown) => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item));

/** Returns what a promise rejects with, and fails where it does not. */
export async function refusal(work: Promise<unknown>): Promise<OutsideError> {
  const error = await work.then(
    () => new Error('it did not reject'),
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(OutsideError);
  return error as OutsideError;
}

/** A fill of 20 shares; every test says only what it is about. */
export function fillOf(changes: Partial<Fill> = {}): Fill {
  return {
    wallet: '0xaaaa',
    token: 'M1:0',
    condition: 'M1',
    event: 'E1',
    outcomeIndex: 0,
    side: 'BUY',
    sizeMicros: 20_000_000,
    priceMicros: 480_000,
    timeS: AS_OF_S - 10 * DAY_S,
    tx: '0x1',
    logIndex: null,
    ...changes,
  };
}

/** A politics market that paid its first outcome a day ago. */
export function marketOf(changes: Partial<TapeMarket> = {}): TapeMarket {
  return {
    condition: 'M1',
    event: '',
    slug: 'm-1',
    category: 'politics',
    feeRateMicros: 40_000,
    upDown: false,
    scheduledEndS: AS_OF_S - DAY_S,
    resolvedAtS: AS_OF_S - DAY_S,
    payoutMicros: [1_000_000, 0],
    ...changes,
  };
}

/** 2026-07-01T00:00:00Z */
export const AS_OF_S = 1_782_864_000;
export const DAY_S = 86_400;
