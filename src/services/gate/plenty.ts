import { LRUCache } from 'lru-cache';
import type { Bearer } from '#domain/credits/token';

/** Bearers that are remembered; beyond, the one that called longest ago is forgotten. */
const BEARERS_MAX = 10_000;
/** What is left is plenty if it pays for so many calls: more than can be at work at once. */
const PLENTY_CALLS = 5_000;

/**
 * Knows who had plenty of credits left after the last debit. Their balance is not looked at before the work is done: the
 * debit decides, and should it say no, the balance is looked at again from then on.
 */
export class Plenty {
  readonly #left = new LRUCache<string, { credits: number }>({ max: BEARERS_MAX });

  has(bearer: Bearer, cost: number): boolean {
    const left = this.#left.get(keyOf(bearer));
    return left !== undefined && left.credits >= cost * PLENTY_CALLS;
  }

  /** To be told of every debit that was made or refused. */
  note(bearer: Bearer, credits: number): void {
    const key = keyOf(bearer);
    const left = this.#left.get(key);
    if (left === undefined) this.#left.set(key, { credits });
    else left.credits = credits;
  }
}

function keyOf({ wallet, code }: Bearer): string {
  return code === null ? wallet : `${wallet} ${code}`;
}
