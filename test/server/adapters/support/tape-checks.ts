import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { openTape, type TapeOptions } from '#adapters/tape/tape';
import type { Fill } from '#domain/rating/fill';
import { groupBy } from '#domain/rating/group-by';
import { RATING_CONFIG, type RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import type { Tape } from '#ports/tape';
import { AS_OF_S, fillOf as plainFill, marketOf as plainMarket } from '#test/shared/domain/support/tape-fixtures';
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

/** The same fill and market as for the pure functions, with the names that only a tape keeps. */
export const fillOf = (changes: Partial<Fill> = {}) => plainFill({ event: 'E1', ...changes });
export const marketOf = (changes: Partial<TapeMarket> = {}) => plainMarket({ slug: 'm-1', ...changes });

export { AS_OF_S };
export const DAY_S = 86_400;
