import type { WalletAnswer } from './answer-kind.js';

/** More than one person buys on one page. */
const RATINGS_MAX = 100;

type Rated = Extract<WalletAnswer, { kind: 'profile' }>;

/**
 * The ratings that were bought since the page was opened, each as long as it is valid: until then
 * another purchase would bring the same one.
 */
export class BoughtRatings {
  readonly #ratings = new Map<string, Rated>();

  /** Keeps an answer if it is a rating; the oldest goes when there are too many. */
  keep(answer: WalletAnswer): void {
    if (answer.kind !== 'profile') return;
    this.#ratings.set(answer.profile.wallet.toLowerCase(), answer);
    const [oldest] = this.#ratings.keys();
    if (this.#ratings.size > RATINGS_MAX) this.#ratings.delete(oldest!);
  }

  /** Returns the rating of a wallet, its address in lower case; null if none is valid. */
  find(address: string, nowMs: number): Rated | null {
    const found = this.#ratings.get(address);
    return found !== undefined && nowMs < Date.parse(found.profile.next_refresh_at) ? found : null;
  }
}
