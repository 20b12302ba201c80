import { expect } from 'chai';
import { LeaderboardSchema, RedListSchema } from '#api/wallets/wallet-lists';
import { NoCoverageSchema, QueuedSchema, WalletProfileSchema } from '#api/wallets/wallet-profile';
import { RATING_REASONS, type RatingReason } from '#domain/rating/rating';
import { toNoCoverage, toQueued, toWalletProfile } from '#judge/wallet/bodies';
import { toLeaderboard, toRedList } from '#services/wallets/list-bodies';
import { AS_OF_S, EMPTY_POOL, POOL, sampleBoard, sampleRating, storedRating } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const nextRefreshS = AS_OF_S + DAY_S + 4.5 * 3_600;
const facts = { nextRefreshS };
const UNSCORED = {
  resolved: 0,
  pending: 104,
  winRatePct: null,
  roiSlippagePct: null,
  roiFeePct: null,
  inSample: EMPTY_POOL,
  outOfSample: EMPTY_POOL,
  window: EMPTY_POOL,
  entriesNeeded: null,
  sample: 'thin',
  verdict: 'WATCH',
  reason: 'few_resolved',
} as const;

/** Which figure decided the sample rating. */
const FILTERED = 'Judged by the 100 scored entries that pass the leaderboard filter: 28.3% after fees.';

describe('body of a wallet profile', () => {
  it('has the form that is promised, with dates that both belong to the 90 days', () => {
    const body = toWalletProfile(storedRating(), facts);
    expect(WalletProfileSchema.parse(body)).to.deep.equal(body);
    expect(body.window).to.deep.equal({ from: '2026-05-03', to: '2026-07-31', days: 90 });
    expect(body).to.include({
      data_through: '2026-08-01T00:00:00Z',
      next_refresh_at: '2026-08-02T04:30:00Z',
      computed_at: '2026-08-01T03:20:00Z',
      first_trade_at: '2026-05-03T00:00:00Z',
      last_trade_at: '2026-07-31T23:59:59Z',
      rating_config: 'c0ffee00c0ffee00',
    });
  });

  it('shows fractions in percent with four decimals', () => {
    const body = toWalletProfile(storedRating(), facts);
    expect(body.in_sample).to.deep.equal({
      entries: 40,
      events: 38,
      win_rate_pct: 52.5,
      roi_slippage_basis_pct: 31.25,
      roi_fee_inclusive_pct: 28.254,
      z: 1.4521,
    });
    expect(body.roi_ci95_pct).to.deep.equal({ low: -10, high: 67 });
    expect(body.roi_without_best_event_pct).to.equal(25);
    const rounded = (roiFee: number) =>
      toWalletProfile(storedRating({ inSample: { ...POOL, roiFee } }), facts).in_sample.roi_fee_inclusive_pct;
    expect([0.1234565, -0.1234565, -1e-9, 0].map(rounded)).to.deep.equal([12.3457, -12.3457, 0, 0]);
  });

  it('names every price range and category, with its count', () => {
    const body = toWalletProfile(storedRating({ priceBuckets: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }), facts);
    expect(Object.entries(body.entry_price_buckets)).to.have.length(10);
    expect(body.entry_price_buckets).to.include({ '0.0-0.1': 1, '0.6-0.7': 7, '0.9-1.0': 10 });
    expect(body.both_sides).to.deep.equal({ markets: 104, both_sided_markets: 1 });
  });

  it('shows null, never a made-up number, where nothing is scored', () => {
    const body = toWalletProfile(storedRating(UNSCORED), facts);
    expect(WalletProfileSchema.parse(body)).to.deep.equal(body);
    expect(body).to.include({
      win_rate_pct: null,
      roi_slippage_basis_pct: null,
      roi_fee_inclusive_pct: null,
      roi_ci95_pct: null,
      z: null,
      roi_without_best_event_pct: null,
      entries_needed: null,
    });
    expect(body.out_of_sample).to.deep.equal({
      entries: 0,
      events: 0,
      win_rate_pct: null,
      roi_slippage_basis_pct: null,
      roi_fee_inclusive_pct: null,
      z: null,
    });
  });

  it('gives the sentence of the table first, then caveats with their numbers', () => {
    const plain = toWalletProfile(storedRating(), facts);
    expect(plain.reasons).to.deep.equal(['a sentence of the decision table', FILTERED]);
    const { reasons } = toWalletProfile(
      storedRating({ verdict: 'WATCH', reason: 'is_small', sample: 'thin', earlyResolved: 6, sellFirst: 2 }),
      facts,
    );
    expect(reasons[0]).to.equal('a sentence of the decision table');
    expect(reasons.slice(1).join(' ')).to.match(
      /WATCH means unproven.*100 scored entries in 90 events.*6 settled.*2 first entries/,
    );
  });

  it('says that firsts are only first seen for 180 days after the tape began', () => {
    const noteAt = (tapeStartS: number | null) => toWalletProfile(storedRating(), { ...facts, tapeStartS }).tape_note;
    expect(noteAt(null)).to.equal(undefined);
    expect(noteAt(AS_OF_S - 180 * DAY_S)).to.equal(undefined);
    expect(noteAt(AS_OF_S - 180 * DAY_S + 1)).to.include('begins on 2026-02-02');
  });

  it('cleans the name that a wallet gave itself', () => {
    const nameOf = (name: string | null) => toWalletProfile(storedRating({}, name), facts).name;
    expect(nameOf('somebody')).to.equal('somebody');
    expect(nameOf(null)).to.equal('0xabab...abab');
    expect(nameOf(' \u0000\u202e ')).to.equal('0xabab...abab');
    expect(nameOf('a\nb\u2028c\u200bd')).to.equal('a b c d');
    expect(nameOf('x'.repeat(1_000))).to.equal('x'.repeat(64));
    expect(nameOf(`${'x'.repeat(63)}\u{1f600}`)).to.equal(`${'x'.repeat(63)}\u{1f600}`);
  });

  it('is never made of a rating without coverage', () => {
    expect(() => toWalletProfile(storedRating({ verdict: 'NO_COVERAGE' }), facts)).to.throw('no profile');
  });
});

describe('body of NO_COVERAGE', () => {
  const small = { ...UNSCORED, verdict: 'NO_COVERAGE', reason: 'below_floor', firstEntries: 9, pending: 9 } as const;

  it('counts, names the floor and shows no ROI', () => {
    const body = toNoCoverage(sampleRating().wallet, storedRating(small), facts);
    expect(NoCoverageSchema.parse(body)).to.deep.equal(body);
    expect(body).to.include({ n_first_entries: 9, coverage_floor: 10, reason_code: 'below_floor', active_days: 90 });
    expect(Object.keys(body).filter((key) => /roi|win_rate|z$/.test(key))).to.deep.equal([]);
  });

  it('says of a wallet that never traded that nothing is known', () => {
    const wallet = `0x${'cd'.repeat(20)}`;
    const body = toNoCoverage(wallet, null, facts);
    expect(NoCoverageSchema.parse(body)).to.deep.equal(body);
    expect(body).to.include({ wallet, reason_code: 'no_trades', window: null, computed_at: null, data_through: null });
    expect(body.next_refresh_at).to.equal('2026-08-02T04:30:00Z');
  });
});

describe('body of QUEUED', () => {
  it('says when to come back, and that nothing was charged', () => {
    const body = toQueued(sampleRating().wallet, { retryAfterS: 42, position: 3 });
    expect(QueuedSchema.parse(body)).to.deep.equal(body);
    expect(body.retry_after_seconds).to.equal(42);
    expect(body.reasons[0]).to.include('number 3 in the queue').and.to.include('42 s');
    expect(toQueued(body.wallet, { retryAfterS: 7, position: 0 }).reasons[0]).to.include('being computed');
    expect(body.note).to.include('Nothing was charged');
  });
});

describe('bodies of the lists', () => {
  const leaderboard = (...ratings: readonly ReturnType<typeof storedRating>[]) =>
    toLeaderboard({ board: sampleBoard(), ratings, nextRefreshS });
  const redList = (...ratings: readonly ReturnType<typeof storedRating>[]) =>
    toRedList({ board: sampleBoard(), ratings, nextRefreshS });

  it('keep the order, and the form that is promised', () => {
    const body = leaderboard(storedRating(), storedRating({ verdict: 'WATCH', reason: 'oos_small' }, 'second'));
    expect(LeaderboardSchema.parse(body)).to.deep.equal(body);
    expect(body.wallets.map(({ name }) => name)).to.deep.equal(['somebody', 'second']);
    expect(body).to.include({ computed_at: '2026-08-01', placebo_copy_count: 2, rating_config: 'c0ffee00c0ffee00' });
    expect(body.window).to.equal(
      '2026-05-03..2026-07-31 (90 days, UTC, both ends included): ' +
        'in-sample 2026-06-02..2026-07-01, out-of-sample 2026-07-02..2026-07-31',
    );
    expect(body.universe).to.include('10 wallets').and.to.include('1 COPY');
  });

  it('show the filtered window, and the in-sample month where the interface asks for it', () => {
    const [shown] = leaderboard(storedRating({ inSample: { ...POOL, entries: 21, winRate: 0.5 } })).wallets;
    expect(shown).to.include({
      roi_fee_inclusive_pct: 28.254,
      profile_roi_fee_inclusive_pct: 27,
      copied_trades: 21,
      win_rate_pct: 50,
    });
  });

  it('leave the win rate out and show the ROI of all where no entry passes the filter', () => {
    const stored = { ...UNSCORED, roiSlippagePct: -1, roiFeePct: -3 };
    const body = redList(storedRating({ ...stored, verdict: 'VETO', reason: 'both_sides' }));
    expect(RedListSchema.parse(body)).to.deep.equal(body);
    expect(body.wallets[0]).not.to.have.any.keys('win_rate_pct', 'oos_trades');
    expect(body.wallets[0]).to.include({ roi_fee_inclusive_pct: -3, copied_trades: 0 });
  });

  it('show the figures that decided, and say so in the second sentence', () => {
    const changes = { roiSlippagePct: 1, roiFeePct: -2, resolved: 60 };
    const [fragile] = leaderboard(storedRating({ ...changes, verdict: 'WATCH', reason: 'fee_fragile' })).wallets;
    expect(fragile).to.include({ roi_slippage_basis_pct: 1, roi_fee_inclusive_pct: -2 });
    expect(fragile!.reasons[1]).to.equal('Judged by all 60 scored entries: -2% after fees.');
    const [filtered] = leaderboard(storedRating(changes)).wallets;
    expect(filtered).to.include({ roi_slippage_basis_pct: 31.25, roi_fee_inclusive_pct: 28.254 });
    expect(filtered!.reasons[1]).to.equal(
      'Judged by the 100 scored entries that pass the leaderboard filter: 28.3% after fees.',
    );
    const [both] = redList(storedRating({ ...changes, verdict: 'VETO', reason: 'both_sides' })).wallets;
    expect(both!.reasons).to.deep.equal([
      'a sentence of the decision table',
      'Judged by what it bought, whatever that returned.',
    ]);
    expect(() => leaderboard(storedRating({ ...UNSCORED, reason: 'oos_small', verdict: 'WATCH' }))).to.throw(
      'without a result',
    );
  });

  const validated: readonly RatingReason[] = ['not_significant', 'one_event', 'unconfirmed', 'validated'];
  const decidedLate: readonly RatingReason[] = ['oos_small', 'oos_failed', 'validated'];
  for (const reason of RATING_REASONS) {
    it(`tell for ${reason} whether the out-of-sample month was survived and whether it decided`, () => {
      const [shown] = leaderboard(storedRating({ reason, verdict: reason === 'validated' ? 'COPY' : 'WATCH' })).wallets;
      expect(shown!.oos_validated).to.equal(validated.includes(reason));
      expect(shown!.oos_trades).to.equal(decidedLate.includes(reason) ? 17 : undefined);
    });
  }

  it('may be empty or without a COPY, and say so', () => {
    const empty = leaderboard();
    expect(LeaderboardSchema.parse(empty).wallets).to.deep.equal([]);
    expect(empty.note).to.include('An empty list is an answer');
    expect(leaderboard(storedRating({ verdict: 'WATCH', reason: 'oos_small' })).note).to.include(
      'No wallet is rated COPY',
    );
    expect(leaderboard(storedRating())).not.to.have.property('note');
    expect(redList().note).to.include('No wallet');
  });

  it('say that firsts are only first seen where the tape began too late', () => {
    const board = sampleBoard({ tapeStartS: AS_OF_S - 100 * DAY_S });
    expect(toLeaderboard({ board, ratings: [storedRating()], nextRefreshS }).note).to.match(
      /^The tape begins on 2026-04-23/,
    );
    expect(toRedList({ board, ratings: [], nextRefreshS }).note).to.match(/^No wallet .*The tape begins/);
  });

  it('show the part of the window that was seen, and what is missing of it', () => {
    const gaps = [
      { fromS: AS_OF_S - 10 * DAY_S, toS: AS_OF_S - 10 * DAY_S + 59 },
      { fromS: AS_OF_S - 5 * DAY_S, toS: AS_OF_S - 4 * DAY_S },
    ];
    const board = sampleBoard({ tapeStartS: AS_OF_S - 51 * DAY_S + 7, gaps });
    const body = toLeaderboard({ board, ratings: [], nextRefreshS });
    expect(body.window).to.equal(
      '2026-06-11..2026-07-31 (51 days, UTC, both ends included): ' +
        'in-sample 2026-06-11..2026-07-01, out-of-sample 2026-07-02..2026-07-31',
    );
    expect(body.note).to.include('Trades from 2026-07-22T00:00:00Z to 2026-07-22T00:00:59Z, and of 1 more times');
    const young = sampleBoard({ tapeStartS: AS_OF_S - 3 * DAY_S });
    expect(toLeaderboard({ board: young, ratings: [], nextRefreshS }).window).to.include('in-sample not seen');
  });

  it('refuse a wallet of the other list', () => {
    expect(() => leaderboard(storedRating({ verdict: 'VETO' }))).to.throw('does not belong');
    expect(() => redList(storedRating())).to.throw('does not belong');
    expect(() => redList(storedRating({ verdict: 'NO_COVERAGE' }))).to.throw('does not belong');
  });
});
