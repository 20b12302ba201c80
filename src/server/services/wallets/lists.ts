import { OutsideError } from '#domain/errors';
import type { TapeWallet } from '#domain/ids';
import { isLate, nextRefreshS } from '#domain/rating/rating-windows';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { Clock } from '#system/clock';
import { hashOf } from '../evidence-hash.js';

/** How often a list is read when boards come into force while it is read. */
const READS_MAX = 3;

/** A list of the board in force, in its order; it may be empty. */
export type WalletList =
  | {
      readonly kind: 'listed';
      readonly board: Board;
      readonly wallets: readonly StoredRating[];
      /** By wallet: the hash of what its rating was computed from, where that is stored. */
      readonly evidenceHashes?: ReadonlyMap<TapeWallet, string>;
      readonly nextRefreshS: number;
      /** A newer board should be in force. */
      readonly isLate?: boolean;
    }
  /** No nightly run has succeeded yet. */
  | { readonly kind: 'no_board' };

type ListName = 'leaderboard' | 'redList';

interface Read {
  readonly board: Board;
  readonly wallets: readonly StoredRating[];
  readonly evidenceHashes: ReadonlyMap<TapeWallet, string>;
}

export interface WalletListsDeps {
  readonly store: RatingsStore;
  readonly clock: Clock;
  /** When it is looked next whether a board is due; null or absent: nobody looks. */
  readonly nextLookAtMs?: () => number | null;
}

/**
 * Reads the leaderboard and the red list, once per run. Every method rejects with the OutsideError
 * of the store.
 */
export class WalletLists {
  readonly #deps: WalletListsDeps;
  readonly #read = new Map<ListName, Read>();

  constructor(deps: WalletListsDeps) {
    this.#deps = deps;
  }

  leaderboard(): Promise<WalletList> {
    return this.#list('leaderboard');
  }

  redList(): Promise<WalletList> {
    return this.#list('redList');
  }

  async #list(name: ListName): Promise<WalletList> {
    const nowS = Math.floor(this.#deps.clock.nowMs() / 1e3);
    for (let reads = 0; reads < READS_MAX; reads++) {
      const board = await this.#deps.store.board();
      if (board === null) return { kind: 'no_board' };
      const cached = this.#read.get(name);
      const read = cached?.board.run === board.run ? cached : await this.#readList(name, board);
      if (read === null) continue;
      this.#read.set(name, read);
      const nextLookMs = this.#deps.nextLookAtMs?.() ?? null;
      const nextLookS = nextLookMs === null ? null : Math.ceil(nextLookMs / 1e3);
      const next = nextRefreshS(nowS, board.asOfS, nextLookS);
      return { kind: 'listed', ...read, nextRefreshS: next, isLate: isLate(nowS, board.asOfS) };
    }
    throw new OutsideError('store', 'the board changes too often to be read; try again', { failure: 'retryable' });
  }

  /**
   * Returns null if another board came into force meanwhile: its ratings may be among those that
   * were read.
   */
  async #readList(name: ListName, board: Board): Promise<Read | null> {
    const { store } = this.#deps;
    const found = await Promise.all(board[name].map((wallet) => store.boardRating(wallet)));
    const evidenceHashes = await this.#hashesOf(board[name], board.asOfS);
    if ((await store.board())?.run !== board.run) return null;
    const wallets = found.filter((stored) => stored !== null);
    if (wallets.length === found.length) return { board, wallets, evidenceHashes };
    throw new OutsideError('store', `a rating of run ${board.run} is missing; rate the tape again`, {
      failure: 'final',
    });
  }

  async #hashesOf(wallets: readonly TapeWallet[], asOfS: number): Promise<ReadonlyMap<TapeWallet, string>> {
    const { bases } = this.#deps.store;
    const hashes = new Map<TapeWallet, string>();
    // One after the other: each is as long as its wallet has entries.
    for (const wallet of wallets) {
      const text = await bases.read(asOfS, wallet);
      if (text !== null) hashes.set(wallet, hashOf(text));
    }
    return hashes;
  }
}
