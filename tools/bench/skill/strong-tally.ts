import { RATING_CONFIG } from '#domain/rating/rating-config';
import { fitEdgePrior } from '#domain/rating/strength/edge-prior';
import { EdgeTally } from '#domain/rating/strength/edge-tally';
import { strengthOf } from '#domain/rating/strength/strength';
import type { RatedWallet } from './rate-world.js';
import type { Rule } from './rules.js';
import { PowerTally, RuleTally } from './tally.js';

/** COPY with the second mark, which is known only when a whole board was seen. */
export class StrongTally {
  readonly rule: Rule = { name: 'the rating, strong', copies: (wallet) => this.#strong.has(wallet) };
  readonly tally = new RuleTally(this.rule);
  readonly power = new PowerTally(this.rule);
  #edges = new EdgeTally(RATING_CONFIG);
  /** Of the board so far: COPY, and whoever has skill. */
  #held: RatedWallet[] = [];
  #strong = new Set<RatedWallet>();

  add(wallet: RatedWallet): void {
    this.#edges.add(wallet.sums.window);
    const isHeld = wallet.rating.verdict === 'COPY' || wallet.population.skill === 'skilled';
    if (isHeld) this.#held.push(wallet);
  }

  /** Marks the wallets of the board, and begins the next one. */
  endBoard(): void {
    const prior = fitEdgePrior(this.#edges.cells());
    const isStrong = ({ rating, sums }: RatedWallet) => strengthOf(rating, sums, prior, RATING_CONFIG) !== null;
    this.#strong = new Set(this.#held.filter(isStrong));
    for (const wallet of this.#held) {
      this.tally.add(wallet);
      this.power.add(wallet);
    }
    this.#edges = new EdgeTally(RATING_CONFIG);
    this.#held = [];
  }
}
