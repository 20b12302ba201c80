import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { openTapeSources } from '#compose/tape';
import { asOfOf } from '#domain/rating/rating-windows';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { StillClock, stillVenue } from '#test/local/support/venue-harness';
import { VenueWallets } from '../support/venue-wallets.js';

describe('wallets of the local venue', () => {
  const clock = new StillClock();
  let venue: LocalVenue;
  let opened: VenueWallets;

  before(async () => {
    venue = await stillVenue({ clock });
    // The sources wait and throttle by a clock, so theirs goes on while the venue's stands still.
    opened = await VenueWallets.open(venue, clock, openTapeSources(venue, systemClock), systemTimers);
  });

  after(async () => {
    await opened.close();
    await venue.close();
  });

  const addressOf = (role: string) => venue.exampleWallets.find((wallet) => wallet.role === role)!.address;

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
      expect((await opened.wallets.ask(addressOf(role), 'test')).kind).to.equal('queued');
      const answer = await opened.settled(addressOf(role));
      if (answer.kind === 'queued' || answer.stored === null) throw new Error(`${role} has no rating`);
      expect([answer.kind, answer.stored.rating.verdict]).to.deep.equal([kind, verdict]);
      expect(answer.stored.rating.asOfS).to.equal(asOfOf(Math.floor(clock.nowMs() / 1e3)));
      const name = venue.exampleWallets.find(({ address }) => address === addressOf(role))?.name;
      expect(answer.stored.name).to.equal(name);
    });
  }

  it('are without coverage at once where they never traded', async () => {
    const answer = await opened.wallets.ask(addressOf('never-traded'), 'test');
    expect(answer.kind === 'no_coverage' && answer.stored).to.equal(null);
  });

  it('are rated alike where the venue repeats and shuffles its rows', async () => {
    const wallet = addressOf('skilled');
    const rated = await opened.store.demandRating(wallet);
    // By other cut-offs: it is computed anew.
    await opened.store.putDemandRating({ ...rated!, config: 'others' });
    venue.faults.duplicateRows = true;
    venue.faults.shuffledRows = true;
    const answer = await opened.settled(wallet);
    venue.faults.clear();
    expect(answer.kind === 'rated' && answer.stored.rating).to.deep.equal(rated?.rating);
  });

  it('stay queued while the Data API is down, and are rated when it is back', async () => {
    const wallet = addressOf('visitor');
    venue.faults.restDown('data');
    expect((await opened.wallets.ask(wallet, 'test')).kind).to.equal('queued');
    expect(await opened.store.demandRating(wallet)).to.equal(null);
    venue.faults.clear();
    expect((await opened.settled(wallet)).kind).to.be.oneOf(['rated', 'no_coverage']);
  });
});
