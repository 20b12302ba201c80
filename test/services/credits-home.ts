import { createHash } from 'node:crypto';
import type { Random } from '#ports/random';
import type { Store } from '#ports/store';
import { type ChargeRequest, type Credits, createCredits } from '#services/credits';
import { makeLmdbHome } from '../contract/lmdb-home.js';
import { walletNumber } from '../contract/store.contract.js';

/** Credits over a real store in a directory of its own, with a clock that the test moves. */
export interface CreditsBench {
  readonly credits: Credits;
  readonly store: Store;
  readonly path: string;
  readonly clock: { nowMs(): number; set(atMs: number): void; add(ms: number): void };
  remove(): Promise<void>;
}

export const START_MS = 1_800_000_000_000;

export async function makeCredits(): Promise<CreditsBench> {
  const home = await makeLmdbHome();
  const store = await home.open();
  let nowMs = START_MS;
  const clock = {
    nowMs: () => nowMs,
    set: (atMs: number) => {
      nowMs = atMs;
    },
    add: (ms: number) => {
      nowMs += ms;
    },
  };
  const credits = createCredits({ store, clock, random: countingRandom() });
  return { credits, store, path: home.path, clock, remove: () => store.close().then(home.remove) };
}

/** Bytes that never repeat and are the same in each run. */
function countingRandom(): Random {
  let calls = 0;
  return {
    next: () => 0.5,
    bytes: (length) => new Uint8Array(createHash('sha256').update(`dice ${calls++}`).digest().subarray(0, length)),
  };
}

/** A charge of one credit to wallet 1, with what a test wants otherwise. The body tells what was paid. */
export function request(facts: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    wallet: walletNumber(1),
    tool: 'preflight_trade',
    credits: 1,
    requestId: 'request-1',
    idempotency: null,
    render: ({ creditsUsed, creditsRemaining }) => JSON.stringify({ creditsUsed, creditsRemaining }),
    ...facts,
  };
}
