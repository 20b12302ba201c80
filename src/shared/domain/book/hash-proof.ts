/**
 * What is known of a book by its hash: our own reckoning says of some version of it whether it has
 * the hash that the venue sent with it.
 */
export class HashProof {
  /**
   * A version, and the hash of which it is known that it is that version's. A change of nothing
   * brings another hash.
   */
  #version = -1;
  #hash: string | null = null;
  /** The hash that came with the last answer of REST. */
  #answeredHash: string | null = null;
  /** Whether a hash that came with an event has ever agreed with what was held. */
  hasAgreed = false;

  /** Notes the hash of an answer of REST, which fits all that REST sent. */
  noteAnswer(hash: string | null): void {
    this.#answeredHash = hash;
  }

  /** Notes that a version of the book has this hash. */
  prove(version: number, hash: string | null): void {
    this.hasAgreed ||= hash !== this.#answeredHash;
    this.#version = version;
    this.#hash = hash;
  }

  /** Whether it is known that this version has this hash. */
  holds(version: number, hash: string | null): boolean {
    return hash !== null && hash === this.#hash && version === this.#version;
  }
}
