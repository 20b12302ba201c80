import { type PresentedToken, presentToken } from './token-secrets.js';

/**
 * Remembers the token that came last over one connection: the next call over it presents the same one, and it need not be
 * understood and hashed again. Whether it is valid is not remembered.
 */
export class TokenMemory {
  #text = '';
  #presented: PresentedToken | null = null;

  /** Returns what a token says, or null if the text has not the form of one. */
  read(text: string): PresentedToken | null {
    if (!areEqual(text, this.#text)) {
      this.#presented = presentToken(text);
      this.#text = text;
    }
    return this.#presented;
  }
}

/** In a time that does not tell how much of them is equal: a connection of a proxy carries the tokens of many. */
function areEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
