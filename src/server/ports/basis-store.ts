import type { TapeWallet } from '#domain/ids';
import type { Cursor, RowsPage } from './store.js';

/** What a wallet's rating at one moment was computed from. */
export interface StoredBasis {
  readonly wallet: TapeWallet;
  readonly asOfS: number;
  /** RFC 8785 form of a `RatingBasis`. */
  readonly text: string;
}

/**
 * What ratings were computed from: of wallets that a list shows, and of those rated on demand. Every
 * method rejects with an OutsideError.
 */
export interface BasisStore {
  /** Returns the text; null if there is none. */
  read(asOfS: number, wallet: TapeWallet): Promise<string | null>;
  /**
   * Stores each in the place of one of the same wallet and moment, and forgets up to
   * `BASES_FORGOTTEN_MAX` of moments that are earlier than these and than the board in force: nobody
   * is answered from those any more.
   */
  put(bases: readonly StoredBasis[]): Promise<void>;
  list(from: Cursor, limit: number): Promise<RowsPage<StoredBasis>>;
}

/** Each may be some hundred kB long. */
export const BASES_PER_PAGE = 10;

/** More than are stored at once, so that old ones do not pile up. */
export const BASES_FORGOTTEN_MAX = 250;

/**
 * Returns the second before which bases are forgotten when these are stored. Those of the board in
 * force stay: a night stores its own before its board replaces that one, and may yet fail.
 */
export function forgottenBeforeS(bases: readonly StoredBasis[], inForce: { readonly asOfS: number } | null): number {
  const newestS = Math.max(0, ...bases.map(({ asOfS }) => asOfS));
  return Math.min(newestS, inForce?.asOfS ?? newestS);
}
