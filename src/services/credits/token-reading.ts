import { type PresentedToken, presentToken } from './token-secrets.js';

/** A bearer token that may be presented again and again: it is taken apart and hashed once. Whether it is valid is not kept. */
export class TokenReading {
  readonly #text: string;
  #presented: PresentedToken | null | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** What the token says; null: it has not the form of one. */
  get presented(): PresentedToken | null {
    if (this.#presented === undefined) this.#presented = presentToken(this.#text);
    return this.#presented;
  }
}
