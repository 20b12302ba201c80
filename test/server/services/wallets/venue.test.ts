import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { openTape } from '#adapters/tape/tape';
import { openTapeSources } from '#compose/tape';
import type { WalletAddress } from '#domain/ids';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { asOfOf } from '#domain/rating/rating-windows';
import type { LocalVenue } from '#local/venue/start-local-venue';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import type { WalletAnswer } from '#services/wallets/contract';
import { Wallets } from '#services/wallets/wallets';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { StillClock, stillVenue } from '#test/local/support/venue-harness';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const POLL_INTERVAL_MS = 20;

describe('wallets of the local venue', () => {
  const clock = new StillClock();
  let fixture: Awaited<ReturnType<typeof makeRatingsFixture>>;
  let venue: LocalVenue;
  let store: RatingsStore;
  let tape: Tape;
  let wallets: Wallets;

  before(async () => {
    fixture = await makeRatingsFixture();
    venue = await stillVenue({ clock });
    store = await fixture.open();
    tape = await openTape({ dir: join(fixture.dataDir, 'tape') });
    // The sources wait and throttle by a clock, so theirs goes on while the venue's stands still.
    const { source, facts } = openTapeSources(venue, systemClock);
    wallets = new Wallets({
      store,
      trades: source,
      facts,
      tape,
      clock,
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      log: silent,
      timers: systemTimers,
      config: RATING_CONFIG,
      limitCaller: async () => null,
    });
  });

  after(async () => {
    wallets.stop();
    await tape.close();
    await store.close();
    await venue.close();
    await fixture.remove();
  });

  const addressOf = (role: string) => venue.exampleWallets.find((wallet) => wallet.role === role)!.address;

  async function settled(wallet: WalletAddress): Promise<WalletAnswer> {
    let answer = await wallets.ask(wallet, 'test');
    while (answer.kind === 'queued') {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      answer = await wallets.ask(wallet, 'test');
    }
    return answer;
  }

  const rows: readonly (readonly [string, string, string])[] = [
    ['skilled', 'rated', 'COPY'],
    ['loser', 'rated', 'VETO'],
    ['both-sides', 'rated', 'VETO'],
    ['certain-farmer', 'rated', 'WATCH'],
    ['small-sample', 'no_coverage', 'NO_COVERAGE'],
    ['up-down-only', 'no_coverage', 'NO_COVERAGE'],
  ];

  for (const [role, kind, verdict] of rows) {
    it(`are queued and then ${verdict} where they are ${role}, by the real protocols`, async () => {
      expect((await wallets.ask(addressOf(role), 'test')).kind).to.equal('queued');
      const answer = await settled(addressOf(role));
      if (answer.kind === 'queued' || answer.stored === null) throw new Error(`${role} has no rating`);
      expect([answer.kind, answer.stored.rating.verdict]).to.deep.equal([kind, verdict]);
      expect(answer.stored.rating.asOfS).to.equal(asOfOf(Math.floor(clock.nowMs() / 1e3)));
      const name = venue.exampleWallets.find(({ address }) => address === addressOf(role))?.name;
      expect(answer.stored.name).to.equal(name);
    });
  }

  it('are without coverage at once where they never traded', async () => {
    const answer = await wallets.ask(addressOf('never-traded'), 'test');
    expect(answer.kind === 'no_coverage' && answer.stored).to.equal(null);
  });

  it('are rated alike where the venue repeats and shuffles its rows', async () => {
    const wallet = addressOf('skilled');
    const rated = await store.demandRating(wallet);
    // By other cut-offs: it is computed anew.
    await store.putDemandRating({ ...rated!, config: 'others' });
    venue.faults.duplicateRows = true;
    venue.faults.shuffledRows = true;
    const answer = await settled(wallet);
    venue.faults.clear();
    expect(answer.kind === 'rated' && answer.stored.rating).to.deep.equal(rated?.rating);
  });

  it('stay queued while the Data API is down, and are rated when it is back', async () => {
    const wallet = addressOf('visitor');
    venue.faults.restDown('data');
    expect((await wallets.ask(wallet, 'test')).kind).to.equal('queued');
    expect(await store.demandRating(wallet)).to.equal(null);
    venue.faults.clear();
    expect((await settled(wallet)).kind).to.be.oneOf(['rated', 'no_coverage']);
  });
});
