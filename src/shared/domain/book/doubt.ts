/**
 * Why a book must be proven by its hash or compared with REST before it is trusted again. They
 * also mean that events no longer confirm it; `hash` only where hashes of the book have agreed
 * before, because the venue may make them in a way that is not known.
 */
export type Doubt = 'out_of_order' | 'unreadable_frame' | 'trade_without_book' | 'tick_size' | 'hash';

/**
 * Which hash ends a doubt when it agrees with the book as it is held: the one that is held already
 * too, or only one that came since.
 */
export type DoubtAnswer = 'any hash' | 'a later hash';

/** What ends a doubt about a book beside REST. */
export class DoubtTerms {
  #answer: DoubtAnswer = 'any hash';
  /** The hash that was held when the doubt was cast last. */
  #heldHash: string | null = null;
  /** The venue's clock before which no hash answers. */
  #fromMs = 0;
  /** When an event came that would have confirmed the book, were it not for the doubt. */
  heardAtMs: number | null = null;

  /** Begins anew, for a first doubt. */
  reset(): void {
    this.#answer = 'any hash';
    this.#fromMs = 0;
    this.heardAtMs = null;
  }

  /** Adds what a doubt asks for: of several, a hash has to answer all. */
  add(answer: DoubtAnswer, heldHash: string | null, fromMs: number): void {
    this.#heldHash = heldHash;
    if (answer === 'any hash') return;
    this.#answer = answer;
    this.#fromMs = Math.max(this.#fromMs, fromMs);
  }

  /** Notes an event that would have confirmed the book, and when it was written. */
  hear(saidAtMs: number): void {
    this.heardAtMs = Math.max(saidAtMs, this.heardAtMs ?? saidAtMs);
  }

  /** Whether a book with this hash was held already: said again, it says nothing new. */
  isHeld(hash: string | null): boolean {
    return hash !== null && hash === this.#heldHash;
  }

  /** Whether a hash that agrees with the book, of this moment of the venue's clock, ends it. */
  isAnsweredBy(hash: string | null, timestampMs: number): boolean {
    if (this.#answer === 'any hash') return true;
    return !this.isHeld(hash) && timestampMs >= this.#fromMs;
  }
}
