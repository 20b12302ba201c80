import type { TapeWallet } from '#domain/ids';
import type { WalletName } from '#ports/tape';

/**
 * The names of the wallets of a run, read beside it: both come by wallet, so that all names are
 * gone through once and few are held.
 */
export class NamesCursor {
  readonly #batches: AsyncIterator<readonly WalletName[]>;
  #batch: readonly WalletName[] = [];
  #at = 0;

  constructor(names: AsyncIterable<readonly WalletName[]>) {
    this.#batches = names[Symbol.asyncIterator]();
  }

  /**
   * Returns the names of these wallets, which have to come after those that were asked for before.
   */
  async of(wallets: readonly TapeWallet[]): Promise<ReadonlyMap<TapeWallet, string>> {
    const found = new Map<TapeWallet, string>();
    for (const wallet of wallets) {
      while (await this.#isBefore(wallet)) this.#at++;
      const next = this.#batch[this.#at];
      if (next?.wallet === wallet) found.set(wallet, next.name);
    }
    return found;
  }

  /** Ends the reading, whether all names were needed or not. */
  async end(): Promise<void> {
    await this.#batches.return?.();
  }

  /** Whether there is a next name, and it is of a wallet before this one. */
  async #isBefore(wallet: TapeWallet): Promise<boolean> {
    while (this.#at >= this.#batch.length) {
      const next = await this.#batches.next();
      if (next.done === true) return false;
      [this.#batch, this.#at] = [next.value, 0];
    }
    return this.#batch[this.#at]!.wallet < wallet;
  }
}
