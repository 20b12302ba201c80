import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Sleep } from '#services/sleep';
import type { WalletAnswer } from '#services/wallets/contract';
import { Wallets } from '#services/wallets/wallets';
import { makeRatingsHome } from '#test/contract/support/lmdb-ratings-home';
import { ManualClock } from '#test/support/manual-clock';
import { PaperTape, PaperVenue } from '#test/support/paper-venue';
import { AS_OF_S } from '#test/support/sample-ratings';

/** How often it is looked whether something has happened; a wallet is computed within a few turns of the event loop. */
const LOOK_EVERY_MS = 2;
const LOOKS_MAX = 5_000;

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Wallets over real LMDB and a venue on paper. Rests after failures end when the test says so. */
export class WalletsRig {
  readonly clock = new ManualClock(AS_OF_S * 1e3 + 10 * 3_600_000);
  readonly venue = new PaperVenue();
  readonly tape = new PaperTape();
  /** Rests that were begun, in milliseconds. */
  readonly rests: number[] = [];
  /** What a caller is told; null: go on. */
  callerWaitS: (caller: string) => number | null = () => null;
  wallets: Wallets;
  #resting: (() => void)[] = [];

  private constructor(
    private readonly home: Awaited<ReturnType<typeof makeRatingsHome>>,
    public store: RatingsStore,
  ) {
    this.wallets = this.#serve();
  }

  static async open(): Promise<WalletsRig> {
    const home = await makeRatingsHome();
    return new WalletsRig(home, await home.open());
  }

  ask(wallet: string, caller = '10.0.0.1'): Promise<WalletAnswer> {
    return this.wallets.ask(wallet, caller);
  }

  /** Asks until the wallet is not queued any more. */
  async settled(wallet: string): Promise<WalletAnswer> {
    let answer = await this.ask(wallet);
    for (let looks = 0; answer.kind === 'queued'; looks++) {
      if (looks > LOOKS_MAX) throw new Error(`${wallet} is still queued: ${JSON.stringify(this.wallets.report())}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      answer = await this.ask(wallet);
    }
    return answer;
  }

  async until(happened: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await happened()); looks++) {
      if (looks > LOOKS_MAX) throw new Error(`it never happened: ${JSON.stringify(this.wallets.report())}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Ends every rest that is under way. */
  endRests(): void {
    for (const end of this.#resting.splice(0)) end();
  }

  /** Ends the service, and starts it again on the same rows. */
  async restart(): Promise<void> {
    this.wallets.stop();
    await this.store.close();
    this.store = await this.home.open();
    this.wallets = this.#serve();
    await this.wallets.resume();
  }

  async remove(): Promise<void> {
    this.wallets.stop();
    this.endRests();
    await this.store.close();
    await this.home.remove();
  }

  #serve(): Wallets {
    const { clock, venue, tape, store } = this;
    return new Wallets({
      store,
      trades: venue,
      facts: venue,
      tape,
      clock,
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      log: silent,
      sleep: this.#rest,
      config: RATING_CONFIG,
      limitCaller: async (caller) => this.callerWaitS(caller),
    });
  }

  readonly #rest: Sleep = (ms, signal) => {
    this.rests.push(ms);
    return new Promise((resolve) => {
      this.#resting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };
}
