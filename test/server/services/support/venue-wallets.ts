import { join } from 'node:path';
import { createHttpJson } from '#adapters/http-client/json';
import { createPolymarketData } from '#adapters/polymarket/data';
import { createMarketFacts } from '#adapters/polymarket/market-facts';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { openTape } from '#adapters/tape/tape';
import type { TapeSources } from '#compose/tape';
import type { WalletAddress } from '#domain/ids';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { FaultCommand } from '#local/venue/faults/fault-commands';
import type { LocalVenue } from '#local/venue/start-local-venue';
import type { RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import type { WalletAnswer } from '#services/wallets/contract';
import { Wallets } from '#services/wallets/wallets';
import type { Timers } from '#system/timers';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { postJson, type StillClock } from '#test/local/support/venue-harness';

const POLL_INTERVAL_MS = 10;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The real adapters, which ask once more and at once where the service would be patient. */
export function hastySources(venue: Pick<LocalVenue, 'dataUrl' | 'gammaUrl' | 'clobUrl'>) {
  const clock = systemClock;
  const budget = { attemptTimeoutMs: 20_000, attemptsMax: 2 };
  const limits = { callsInFlightMax: 8, backoffFirstMs: 1, backoffMaxMs: 2, breakerFailures: 1_000 };
  const http = (upstream: string, baseUrl: string) => createHttpJson({ upstream, baseUrl, clock, budget, limits });
  const data = http('data-api', venue.dataUrl);
  const [gamma, clob] = [http('gamma-tape', venue.gammaUrl), http('clob-tape', venue.clobUrl)];
  return {
    source: createPolymarketData({ data, clock }),
    facts: createMarketFacts({ gamma, clob, data, clock }),
  };
}

/** Rests after failures take this long, whatever they should. */
const REST_MS = 5;
const HASTY_TIMERS: Timers = { ...systemTimers, sleep: (_, signal) => systemTimers.sleep(REST_MS, signal) };

/** Wallets of a local venue over a store and a tape of their own; the venue is spoilt over HTTP. */
export class VenueWallets {
  private constructor(
    readonly venue: LocalVenue,
    readonly store: RatingsStore,
    readonly tape: Tape,
    readonly wallets: Wallets,
    readonly close: () => Promise<void>,
  ) {}

  static async open(
    venue: LocalVenue,
    clock: StillClock,
    { source, facts }: Pick<TapeSources, 'source' | 'facts'> = hastySources(venue),
    timers = HASTY_TIMERS,
  ): Promise<VenueWallets> {
    const fixture = await makeRatingsFixture();
    const store = await fixture.open();
    const tape = await openTape({ dir: join(fixture.dataDir, 'tape') });
    const wallets = new Wallets({
      store,
      trades: source,
      facts,
      tape,
      clock,
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      log: silent,
      timers,
      config: RATING_CONFIG,
      limitCaller: async () => null,
    });
    return new VenueWallets(venue, store, tape, wallets, async () => {
      wallets.stop();
      await tape.close();
      await fixture.remove();
    });
  }

  /** Commands faults of the venue by its own controls. */
  async command(faults: FaultCommand): Promise<void> {
    const answer = await postJson(`${this.venue.controlUrl}/faults`, faults);
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** Asks until the wallet is not queued any more. */
  async settled(wallet: WalletAddress): Promise<WalletAnswer> {
    let answer = await this.wallets.ask(wallet, 'test');
    while (answer.kind === 'queued') {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      answer = await this.wallets.ask(wallet, 'test');
    }
    return answer;
  }

  /** Asks until the wallet was rated, or until so many attempts have failed. */
  async triedOften(wallet: WalletAddress, failures: number): Promise<WalletAnswer> {
    const before = this.wallets.report().failures;
    for (;;) {
      const answer = await this.wallets.ask(wallet, 'test');
      if (answer.kind !== 'queued' || this.wallets.report().failures - before >= failures) return answer;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }
}
