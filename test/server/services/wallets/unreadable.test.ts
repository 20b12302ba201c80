import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import type { Rating } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { asOfOf, ratingWindows } from '#domain/rating/rating-windows';
import { toWalletProfile } from '#judge/wallet/bodies';
import type { FaultCommand } from '#local/venue/faults/fault-commands';
import type { LocalVenue } from '#local/venue/start-local-venue';
import type { TradePage } from '#ports/trade-source';
import { ATTEMPTS_FOR_MARKETS } from '#services/wallets/profile';
import { WALLET_PAGES_MAX } from '#services/wallets/read-trades';
import { StillClock, stillVenue } from '#test/local/support/venue-harness';
import { draw } from '#test/support/draw';
import { hastySources, VenueWallets } from '../support/venue-wallets.js';

/** Faults of the venue that one run meets. */
const DRAWN = 4;

/** What a skilled wallet of the local venue is, and the markets that it lost in. */
interface Truth {
  readonly wallet: WalletAddress;
  readonly rating: Rating;
  readonly lost: readonly string[];
}

describe('a wallet whose true rating is COPY', function () {
  this.timeout(120_000);
  const clock = new StillClock();
  let venue: LocalVenue;
  let truth: Truth;
  let fixture: VenueWallets;

  before(async () => {
    venue = await stillVenue({ clock });
    fixture = await VenueWallets.open(venue, clock);
    const { address: wallet } = venue.exampleWallets.find(({ role }) => role === 'skilled')!;
    const answer = await fixture.settled(wallet);
    if (answer.kind !== 'rated') throw new Error('the skilled wallet is not rated');
    truth = { wallet, rating: answer.stored.rating, lost: await lostMarkets(fixture, wallet) };
    await fixture.close();
  });
  after(() => venue.close());
  beforeEach(async () => {
    fixture = await VenueWallets.open(venue, clock);
  });
  afterEach(async () => {
    await fixture.command({ clear: true });
    await fixture.close();
  });

  it('is COPY, and lost some', () => {
    expect(truth.rating.verdict).to.equal('COPY');
    expect(truth.lost.length).to.be.above(10);
  });

  const rows = (how: string, more: object = {}): FaultCommand => ({
    mangle: {
      data: [
        { how, path: '/v2/trades', ...more },
        { how, path: '/trades', ...more },
      ],
    },
  });
  const cases: readonly (readonly [string, () => FaultCommand])[] = [
    [
      'the rows of its losing entries are malformed',
      () => rows('wrong_type', { field: 'price', conditions: truth.lost }),
    ],
    ['rows are missing now and then', () => rows('drop_rows', { share: 0.5 })],
    ['half of its rows are malformed', () => ({ tornRows: true })],
    ['a field of the rows has a new name', () => rows('rename_field', { field: 'condition_id,conditionId' })],
    ['times are in milliseconds', () => rows('times_thousand', { field: 'timestamp' })],
    ['rows are of another wallet', () => rows('other_wallet')],
    ['some rows are of another wallet', () => rows('other_wallet', { share: 0.1 })],
    ['the list is empty, though it has traded', () => ({ mangle: { data: [{ how: 'empty', path: '/v2/trades' }] } })],
    ['rows are something else', () => rows('garbage')],
    ['the list is an old copy', () => rows('stale')],
    ['the list is cut off', () => rows('truncate')],
    [
      'Gamma lost the ends of all markets',
      () => ({ mangle: { gamma: [{ how: 'rename_field', field: 'endDate,gameStartTime' }] } }),
    ],
    ['Gamma lists nothing', () => ({ mangle: { gamma: [{ how: 'empty' }] } })],
    ['Gamma lists something else', () => ({ mangle: { gamma: [{ how: 'garbage' }] } })],
    [
      'Gamma lost the ends of some markets',
      () => ({ mangle: { gamma: [{ how: 'wrong_type', field: 'endDate', share: 0.2 }] } }),
    ],
    [
      'resolutions are down, and Gamma’s prices name the wrong winners',
      () => ({
        mangle: {
          data: [{ how: 'refuse', path: '/v2/resolutions' }],
          gamma: [{ how: 'swap_pair', field: 'outcomePrices' }],
        },
      }),
    ],
    [
      'resolutions and the CLOB are down, and prices say nothing',
      () => ({
        restDown: { clob: true },
        mangle: {
          data: [{ how: 'refuse', path: '/v2/resolutions' }],
          gamma: [{ how: 'unclear_pair', field: 'outcomePrices' }],
        },
      }),
    ],
    [
      'resolutions are cut off, and the CLOB does not know markets either',
      () => ({
        mangle: {
          data: [{ how: 'truncate', path: '/v2/resolutions', share: 0.5, seed: 972_496_757 }],
          clob: [{ how: 'absent', path: '/markets', share: 0.5, seed: 746_303_987 }],
        },
      }),
    ],
    [
      'payouts are malformed',
      () => ({ mangle: { data: [{ how: 'wrong_type', path: '/v2/resolutions', field: 'payouts' }] } }),
    ],
  ];
  const drawn = draw(cases, DRAWN);
  for (const [what, faults] of drawn.cases) {
    it(`stays queued, free and unrated while ${what}, and is COPY afterwards (${drawn.how})`, async () => {
      await fixture.command(faults());
      const answer = await fixture.triedOften(truth.wallet, 1);
      expect(answer.kind).to.equal('queued');
      expect(await fixture.store.demandRating(truth.wallet)).to.equal(null);
      expect(fixture.wallets.report()).to.include({ rated: 0 });
      await fixture.command({ clear: true });
      const after = await fixture.settled(truth.wallet);
      expect(after.kind === 'rated' && after.stored.rating).to.deep.equal(truth.rating);
    });
  }

  it('is WATCH while results are known by prices alone, and COPY once the venue has confirmed them', async () => {
    await fixture.command({
      mangle: {
        data: [{ how: 'empty', path: '/v2/resolutions' }],
        clob: [{ how: 'swap_winner', path: '/markets' }],
      },
    });
    expect((await fixture.triedOften(truth.wallet, 1)).kind, 'Gamma and the CLOB disagree').to.equal('queued');
    await fixture.command({
      clear: true,
      mangle: { data: [{ how: 'empty', path: '/v2/resolutions' }], clob: [{ how: 'absent', path: '/markets' }] },
    });
    // Lists that are cut off look like this, so it is waited for as long as for a market that
    // nobody describes.
    expect((await fixture.triedOften(truth.wallet, ATTEMPTS_FOR_MARKETS - 2)).kind).to.equal('queued');
    const byPrice = await fixture.settled(truth.wallet);
    expect(byPrice.kind === 'rated' && byPrice.stored.rating).to.include({ verdict: 'WATCH', reason: 'unconfirmed' });
    await fixture.command({ clear: true });
    // By other cut-offs: it is computed anew.
    await fixture.store.putDemandRating({ ...(await fixture.store.demandRating(truth.wallet))!, config: 'others' });
    const after = await fixture.settled(truth.wallet);
    expect(after.kind === 'rated' && after.stored.rating).to.deep.equal(truth.rating);
  });

  it('is rated with a note and never COPY when the venue goes on not describing a market', async () => {
    const [missing] = truth.lost;
    await fixture.command({ mangle: { gamma: [{ how: 'drop_rows', conditions: [missing] }] } });
    expect((await fixture.triedOften(truth.wallet, ATTEMPTS_FOR_MARKETS - 1)).kind).to.equal('queued');
    const answer = await fixture.settled(truth.wallet);
    if (answer.kind !== 'rated') throw new Error('it was not rated');
    expect(answer.stored.unseen).to.deep.equal({ beforeS: null, gap: null, markets: 1 });
    expect(answer.stored.rating).to.include({ verdict: 'WATCH', reason: 'tape_short' });
  });
});

describe('a wallet with more trades than are read', function () {
  this.timeout(120_000);

  it('begins where reading ended, and counts no token that may have been bought before', async () => {
    const clock = new StillClock();
    const venue = await stillVenue({ clock });
    const fixture = await VenueWallets.open(venue, clock);
    const { address: wallet } = venue.exampleWallets.find(({ role }) => role === 'market-maker')!;
    const asOfS = asOfOf(Math.floor(clock.nowMs() / 1e3));
    const { fromS } = ratingWindows(asOfS, RATING_CONFIG);
    const times = await tradeTimes(venue, wallet, asOfS);
    // Pages so short that the most that are read reach back over the window, and not to the first
    // trade.
    const pageRows = Math.ceil((times.filter((timeS) => timeS >= fromS).length + 1) / WALLET_PAGES_MAX);
    expect(pageRows * WALLET_PAGES_MAX, 'it has enough trades for this').to.be.below(times.length);
    await fixture.command({ pageRowsMax: pageRows });
    const answer = await fixture.settled(wallet);
    if (answer.kind !== 'rated') throw new Error('it was not rated');
    const beforeS = times[pageRows * WALLET_PAGES_MAX - 2]! + 1;
    expect(answer.stored.unseen).to.deep.equal({ beforeS, gap: null, markets: 0 });
    expect(toWalletProfile(answer.stored, answer).tape_note).to.match(/^The tape begins on /);
    await fixture.close();
    await venue.close();
  });
});

async function tradeTimes(venue: LocalVenue, wallet: WalletAddress, asOfS: number): Promise<readonly number[]> {
  const { source } = hastySources(venue);
  const times: number[] = [];
  let cursor: string | null = null;
  do {
    const page: TradePage = await source.fetchWalletTrades(wallet, { fromS: 1, toS: asOfS - 1 }, cursor);
    times.push(...page.fills.map(({ timeS }) => timeS));
    cursor = page.next;
  } while (cursor !== null);
  return times;
}

/** Markets of entries whose outcome paid nothing. */
async function lostMarkets({ tape, venue }: VenueWallets, wallet: WalletAddress): Promise<readonly string[]> {
  const { source } = hastySources(venue);
  const { fills } = await source.fetchWalletTrades(wallet, { fromS: 1, toS: 4_000_000_000 }, null);
  const markets = await tape.marketsOf(fills.map(({ condition }) => condition));
  const isLost = ({ condition, outcomeIndex }: Fill) => markets.get(condition)?.payoutMicros?.[outcomeIndex] === 0;
  return [...new Set(fills.filter(isLost).map(({ condition }) => condition))];
}
