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
   * `BASES_FORGOTTEN_MAX` of earlier moments: nobody is answered from those any more.
   */
  put(bases: readonly StoredBasis[]): Promise<void>;
  list(from: Cursor, limit: number): Promise<RowsPage<StoredBasis>>;
}

/** Each may be some hundred kB long. */
export const BASES_PER_PAGE = 10;

/** More than are stored at once, so that old ones do not pile up. */
export const BASES_FORGOTTEN_MAX = 250;
