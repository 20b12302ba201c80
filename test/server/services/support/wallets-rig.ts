import type { WalletAddress } from '#domain/ids';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { walletMachineWith } from '#machines/wallet.machine';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { WalletAnswer } from '#services/wallets/contract';
import { WALLET_BACKOFF } from '#services/wallets/steps';
import { Wallets } from '#services/wallets/wallets';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { PaperTape, PaperVenue } from '#test/support/paper-venue';
import { AS_OF_S } from '#test/support/sample-ratings';

/**
 * How often it is looked whether something has happened; a wallet is computed within a few turns of
 * the event loop.
 */
const POLL_INTERVAL_MS = 2;
const LOOKS_MAX = 5_000;

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Wallets over real LMDB and a venue on paper. Rests after failures, and limits, end when the test
 * moves the clock.
 */
export class WalletsRig {
  readonly #fixture: Awaited<ReturnType<typeof makeRatingsFixture>>;
  readonly clock = new ManualClock(AS_OF_S * 1e3 + 10 * 3_600_000);
  readonly timers = new ManualTimers(this.clock);
  readonly venue = new PaperVenue();
  readonly tape = new PaperTape();
  /** Rests that were begun, in milliseconds. */
  readonly rests: number[] = [];
  /** How long a caller has to wait; null: not at all. */
  callerWaitS: (caller: string) => number | null = () => null;
  log = silent;
  wallets: Wallets;

  private constructor(
    fixture: Awaited<ReturnType<typeof makeRatingsFixture>>,
    public store: RatingsStore,
  ) {
    this.#fixture = fixture;
    this.wallets = this.serve();
  }

  static async open(): Promise<WalletsRig> {
    const fixture = await makeRatingsFixture();
    return new WalletsRig(fixture, await fixture.open());
  }

  ask(wallet: WalletAddress, caller = '10.0.0.1'): Promise<WalletAnswer> {
    return this.wallets.ask(wallet, caller);
  }

  /** Asks until the wallet is not queued any more. */
  async settled(wallet: WalletAddress): Promise<WalletAnswer> {
    let answer = await this.ask(wallet);
    for (let looks = 0; answer.kind === 'queued'; looks++) {
      if (looks > LOOKS_MAX) throw new Error(`${wallet} is still queued: ${JSON.stringify(this.wallets.report())}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      answer = await this.ask(wallet);
    }
    return answer;
  }

  async until(happened: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await happened()); looks++) {
      if (looks > LOOKS_MAX) throw new Error(`it never happened: ${JSON.stringify(this.wallets.report())}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  /** Lets as much time pass as a rest can take. */
  endRests(): void {
    this.timers.advance(WALLET_BACKOFF.maxMs);
  }

  /** Ends the service, and starts it again on the same rows. */
  async restart(): Promise<void> {
    this.wallets.stop();
    await this.store.close();
    this.store = await this.#fixture.open();
    this.wallets = this.serve();
    await this.wallets.resume();
  }

  async remove(): Promise<void> {
    this.wallets.stop();
    await this.#fixture.remove();
  }

  /** Returns the service over what the rig holds now. */
  serve(machine = walletMachineWith): Wallets {
    const { clock, venue, tape, store, log } = this;
    const deps = {
      store,
      trades: venue,
      facts: venue,
      tape,
      clock,
      random: { next: () => 0.5, bytes: (count: number) => new Uint8Array(count) },
      log,
      timers: { sleep: this.#sleep, after: (ms: number, due: () => void) => this.timers.after(ms, due) },
      config: RATING_CONFIG,
      limitCaller: async (caller: string) => this.callerWaitS(caller),
    };
    return new Wallets(deps, machine);
  }

  readonly #sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    this.rests.push(ms);
    return this.timers.sleep(ms, signal);
  };
}
