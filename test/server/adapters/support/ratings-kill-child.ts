/**
 * Puts board after board in force, each with the same wallets, and prints "published <run>" for
 * each that the store said was. Runs until it is killed; its argument is the path of the ratings.
 */
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { walletNumber } from '#test/contract/store.contract';
import { followedBoard } from '#test/support/sample-follows';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';

export const CHILD_WALLETS = 60;
const BATCH = 20;

async function main(path: string): Promise<never> {
  const store = openLmdbRatings({ path });
  for (let run = ((await store.board())?.run ?? 0) + 1; ; run++) {
    const asOfS = AS_OF_S + run * 86_400;
    for (let at = 1; at <= CHILD_WALLETS; at += BATCH) {
      const wallets = Array.from({ length: BATCH }, (_, n) => walletNumber(at + n));
      const ratings = wallets.map((wallet) => storedRating({ wallet, asOfS, reasonText: `run ${run}` }));
      await store.putBoardRatings(run, ratings);
    }
    const board = sampleBoard({ run, asOfS, walletsSeen: CHILD_WALLETS });
    await store.publish(board, undefined, followedBoard({ run, asOfS, wallets: [walletNumber(run)] }));
    // Written at once, so that an acknowledgement is in the pipe before the process can be killed.
    writeSync(1, `published ${run}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? '');
