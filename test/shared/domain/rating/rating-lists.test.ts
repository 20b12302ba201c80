import { expect } from 'chai';
import { rateSums } from '#domain/rating/rate-sums';
import type { PoolRating, Rating, RatingReason, RatingVerdict } from '#domain/rating/rating';
import { chooseLeaderboard, chooseRedList } from '#domain/rating/rating-lists';
import { AS_OF_S, CONFIG, sumsOf } from '../support/tape-fixtures.js';

const PASSING = rateSums(sumsOf(), AS_OF_S, CONFIG);

const rating = (
  wallet: string,
  [verdict, reason]: readonly [RatingVerdict, RatingReason],
  pool: Partial<PoolRating> = {},
  resolved = 100,
): Rating => ({ ...PASSING, wallet, verdict, reason, resolved, window: { ...PASSING.window, ...pool } });

const COPY = ['COPY', 'validated'] as const;
const UNPROVEN = ['WATCH', 'not_significant'] as const;
const LOST = ['VETO', 'lost_money'] as const;
const BOTH = ['VETO', 'both_sides'] as const;

const board = (...ratings: readonly Rating[]) => chooseLeaderboard(ratings, CONFIG).map(({ wallet }) => wallet);
const red = (...ratings: readonly Rating[]) => chooseRedList(ratings, CONFIG).map(({ wallet }) => wallet);

describe('leaderboard', () => {
  it('has COPY first, then the unproven, each by the low end of the interval and never by ROI', () => {
    const ratings = [
      rating('unproven', UNPROVEN, { ciLow: 0.9 }),
      rating('wild', COPY, { ciLow: 0.01, roiFee: 3 }),
      rating('sure', COPY, { ciLow: 0.02, roiFee: 0.1 }),
    ];
    expect(board(...ratings)).to.deep.equal(['sure', 'wild', 'unproven']);
  });

  it('breaks ties by entries, then by wallet', () => {
    const at = (wallet: string, entries: number) => rating(wallet, COPY, { ciLow: 0.1, entries });
    expect(board(at('c', 50), at('b', 50), at('a', 49), at('d', 51))).to.deep.equal(['d', 'b', 'c', 'a']);
  });

  it('lists of WATCH only what is positive and unproven', () => {
    const reasons: readonly RatingReason[] = [
      'few_resolved',
      'fee_fragile',
      'farming',
      'is_small',
      'is_negative',
      'oos_small',
      'oos_failed',
      'not_significant',
      'one_event',
      'unconfirmed',
      'tape_short',
    ];
    const listed = board(...reasons.map((reason) => rating(reason, ['WATCH', reason])), rating('veto', LOST));
    const unproven = ['fee_fragile', 'oos_small', 'oos_failed', 'not_significant', 'one_event'];
    expect(listed).to.have.members([...unproven, 'unconfirmed', 'tape_short']);
  });

  it('lists no WATCH that lost before fees, by the figure that its row shows', () => {
    const lost = { roiSlippage: -0.5, roiFee: -0.52, z: -4.83 };
    expect(board(rating('lost', UNPROVEN, lost), rating('failed', ['WATCH', 'oos_failed'], lost))).to.deep.equal([]);
    expect(board(rating('even', UNPROVEN, { roiSlippage: 0, roiFee: -0.02 }))).to.deep.equal([]);
    expect(board(rating('won', UNPROVEN, { roiSlippage: 0.01, roiFee: -0.01 }))).to.deep.equal(['won']);
    const fragile = rating('fragile', ['WATCH', 'fee_fragile'], lost);
    expect(board(fragile, { ...fragile, wallet: 'even', roiSlippagePct: 0 }), 'all entries').to.deep.equal(['fragile']);
  });

  it('puts wallets without an interval last', () => {
    const none = rating('none', ['WATCH', 'fee_fragile'], { ciLow: null, entries: 0 });
    const other = rating('other', ['WATCH', 'fee_fragile'], { ciLow: null, entries: 0 });
    expect(board(other, none, rating('low', UNPROVEN, { ciLow: -5 }))).to.deep.equal(['low', 'none', 'other']);
  });

  it('ends after 50 wallets, and may be empty', () => {
    const many = Array.from({ length: 60 }, (_, index) => rating(`w${index}`, UNPROVEN, { ciLow: -index }));
    expect(board(...many, rating('copy', COPY, { ciLow: -99 })))
      .to.have.lengthOf(50)
      .and.include('copy');
    expect(board()).to.deep.equal([]);
  });
});

describe('red list', () => {
  it('wants 30 resolved entries of who lost, and none of who bought both sides', () => {
    const listed = red(rating('29', LOST, {}, 29), rating('30', LOST, {}, 30), rating('both', BOTH, {}, 1));
    expect(listed).to.have.members(['30', 'both']);
  });

  it('lists nobody without the figure that decided', () => {
    const none = (one: Rating): Rating => ({ ...one, roiFeePct: null });
    const unfiltered = { roiFee: null } as const;
    expect(red(none(rating('none', BOTH)), rating('unfiltered', BOTH, unfiltered))).to.deep.equal(['unfiltered']);
    expect(board(rating('unfiltered', UNPROVEN, unfiltered), none(rating('filtered', UNPROVEN)))).to.deep.equal([
      'filtered',
    ]);
  });

  it('has nothing but VETO', () => {
    expect(red(rating('copy', COPY), rating('watch', UNPROVEN))).to.deep.equal([]);
  });

  it('has the worst z first, then the most entries, then the wallet; without a z last', () => {
    const ratings = [
      rating('unknown', BOTH, { z: null, entries: 0 }),
      rating('c', LOST, { z: -2, entries: 40 }),
      rating('b', LOST, { z: -2, entries: 40 }),
      rating('a', LOST, { z: -1, entries: 900 }),
      rating('d', LOST, { z: -2, entries: 41 }),
    ];
    expect(red(...ratings)).to.deep.equal(['d', 'b', 'c', 'a', 'unknown']);
  });

  it('ends after 50 wallets', () => {
    const many = Array.from({ length: 60 }, (_, index) => rating(`w${index}`, LOST, { z: -index }));
    expect(red(...many))
      .to.have.lengthOf(50)
      .and.include('w59')
      .and.not.include('w9');
  });
});
