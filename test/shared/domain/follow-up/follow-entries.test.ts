import { expect } from 'chai';
import { type FollowedEntries, type FollowUpView, followUp, knowsMore } from '#domain/follow-up/follow-entries';
import { followTotal } from '#domain/follow-up/follow-total';
import { AWAITED_DAYS, FOLLOWED_DAYS, isFollowed } from '#domain/follow-up/followed-board';
import { groupOf } from '#domain/scoreboard/score-day';
import { walletNumber } from '#test/contract/store.contract';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { AS_OF_S } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const [A, B, C] = [walletNumber(1), walletNumber(2), walletNumber(3)];

/** One entry of so many days after the board, resolved unless it is said otherwise. */
const entryOn = (day: number, changes: Partial<FollowedEntries> = {}): FollowedEntries => ({
  ...{ event: `event ${day}`, dayS: AS_OF_S + day * DAY_S, entries: 1, scored: 1, returnFeeNano: 500_000_000 },
  ...changes,
});
const viewOf = (entries: Record<string, FollowedEntries[]>, changes: Partial<FollowUpView> = {}): FollowUpView => ({
  entriesOf: new Map(Object.entries(entries)),
  ...{ knownS: AS_OF_S + 60 * DAY_S, nextAsOfS: null, unseenS: 0, intervalZ: 1.96 },
  ...changes,
});

describe('following a board', () => {
  it('counts the entries of its wallets from its moment to the end of the month, and no others', () => {
    const days = [-31, -1, 0, 29, 30, 59];
    const own = days.map((day) => entryOn(day));
    const result = followUp(followedBoard(), viewOf({ [A]: own, [C]: own }));
    expect(result).to.include({ entries: 2, resolved: 2, events: 2, roi: 0.5, walletsResolved: 1, walletsInProfit: 1 });
    expect(result.own.byWallet).to.deep.equal([{ wallet: 0, returnFeeNano: 1e9 }]);
  });

  it('has the mean of a dollar on each resolved entry, with events as clusters, and who made money', () => {
    const lost = { returnFeeNano: -1e9 };
    const result = followUp(
      followedBoard(),
      viewOf({
        [A]: [entryOn(1), entryOn(2, lost), entryOn(3, { entries: 2, scored: 0, returnFeeNano: 0 })],
        [B]: [entryOn(4, { event: 'event 1', returnFeeNano: 700_000_000 })],
      }),
    );
    expect(result).to.include({ entries: 5, resolved: 3, events: 2, walletsResolved: 2, walletsInProfit: 1 });
    expect(result.roi).to.be.closeTo(0.2 / 3, 1e-12);
    // Two events: 1.2 of two entries, and -1 of one. Reach: 1.96 * sqrt(2 * sum of squares) / 3.
    const squares = (1.2 - (2 * 0.2) / 3) ** 2 + (-1 - 0.2 / 3) ** 2;
    expect(result.high! - result.roi!).to.be.closeTo((1.96 * Math.sqrt(2 * squares)) / 3, 1e-9);
    expect(result.roi! - result.low!).to.be.closeTo(result.high! - result.roi!, 1e-12);
  });

  it('sorts what was entered before the next board into groups of events', () => {
    const own = [entryOn(0), entryOn(1), entryOn(2, { event: 'event 0' })];
    const result = followUp(followedBoard(), viewOf({ [B]: own }, { nextAsOfS: AS_OF_S + 2 * DAY_S }));
    expect(result.own).to.deep.equal({
      entries: 2,
      byWallet: [{ wallet: 1, returnFeeNano: 1e9 }],
      byGroup: ['event 0', 'event 1']
        .map((event) => ({ group: groupOf(event), scored: 1, returnFeeNano: 500_000_000 }))
        .toSorted((a, b) => a.group - b.group),
    });
  });

  const pending = entryOn(5, { scored: 0, returnFeeNano: 0 });
  const over = AS_OF_S + FOLLOWED_DAYS * DAY_S;
  const ends: readonly (readonly [string, boolean, FollowedEntries[], Partial<FollowUpView>])[] = [
    ['the month is not over', false, [entryOn(5)], { knownS: over - DAY_S }],
    ['all of the month has resolved', true, [entryOn(5)], { knownS: over }],
    ['an entry is pending', false, [entryOn(5), pending], { knownS: over + (AWAITED_DAYS - 1) * DAY_S }],
    ['results were waited for long enough', true, [pending], { knownS: over + AWAITED_DAYS * DAY_S }],
    ['trades are missing', false, [entryOn(5)], { knownS: over, unseenS: 1 }],
  ];
  for (const [when, isFinal, entries, changes] of ends) {
    it(`is ${isFinal ? '' : 'not '}final where ${when}`, () => {
      expect(followUp(followedBoard(), viewOf({ [A]: entries }, changes)).isFinal).to.equal(isFinal);
    });
  }

  const known = followResult({ knownS: AS_OF_S + 5 * DAY_S, unseenS: 3_600 });
  const news: readonly (readonly [string, boolean, object, object])[] = [
    ['a later night', true, known, { knownS: AS_OF_S + 6 * DAY_S }],
    ['the same night again', true, known, {}],
    ['an earlier moment', false, known, { knownS: AS_OF_S + 4 * DAY_S, unseenS: 0 }],
    ['a tape that shows less', false, known, { knownS: AS_OF_S + 6 * DAY_S, unseenS: DAY_S + 3_601 }],
    ['a tape that shows as much and misses the new day', true, known, { knownS: AS_OF_S + 6 * DAY_S, unseenS: DAY_S }],
    ['anything, once it is final', false, { ...known, isFinal: true }, { knownS: AS_OF_S + 6 * DAY_S }],
  ];
  for (const [what, isTaken, before, next] of news) {
    it(`${isTaken ? 'takes' : 'does not take'} new counts of ${what}`, () => {
      const board = followedBoard({ result: followResult(before) });
      expect(knowsMore(board, followResult({ ...known, ...next }))).to.equal(isTaken);
    });
  }

  it('takes the first counts whatever they are', () => {
    expect(knowsMore(followedBoard(), followResult({ unseenS: 5 * DAY_S }))).to.equal(true);
  });

  for (const [when, asOfS, lateS, is] of [
    ['at once', AS_OF_S, 3 * 3_600, true],
    ['two days late', AS_OF_S, 2 * DAY_S, true],
    ['later than that', AS_OF_S, 2 * DAY_S + 1, false],
    ['before its moment', AS_OF_S, -1, false],
    ['of a moment within a day', AS_OF_S + 1, 3_600, false],
  ] as const) {
    it(`keeps ${is ? 'a' : 'no'} board that comes into force ${when}`, () => {
      expect(isFollowed({ asOfS, computedAtMs: (asOfS + lateS) * 1e3 })).to.equal(is);
    });
  }
});

describe('all boards together', () => {
  it('are nothing in the beginning', () => {
    expect(followTotal([], 1.96)).to.deep.equal({
      ...{ entries: 0, resolved: 0, events: 0, roi: null, low: null, high: null },
      ...{ boards: 0, wallets: 0, walletsResolved: 0, walletsInProfit: 0 },
    });
  });

  it('have a wallet that is COPY on thirty boards in a row once, and each of its entries once', () => {
    const entries = Array.from({ length: 60 }, (_, day) => entryOn(day, { event: `event ${day % 20}` }));
    const boards = Array.from({ length: 30 }, (_, day) => {
      const board = followedBoard({ asOfS: AS_OF_S + day * DAY_S, wallets: [A] });
      const nextAsOfS = day === 29 ? null : board.asOfS + DAY_S;
      const view = viewOf({ [A]: entries }, { nextAsOfS, knownS: AS_OF_S + 200 * DAY_S });
      return { ...board, result: followUp(board, view) };
    });
    expect(boards.map(({ result }) => result.entries)).to.deep.equal(boards.map(() => 30));
    const total = followTotal(boards, 1.96);
    // The last board is the newest one for the month that follows it.
    expect(total).to.include({ boards: 30, wallets: 1, entries: 59, resolved: 59, walletsResolved: 1 });
    expect(total.roi).to.be.closeTo(0.5, 1e-12);
  });

  it('put the results of a wallet and of an event together that lie in several boards', () => {
    const [win, loss] = [entryOn(0, { event: 'E' }), entryOn(1, { event: 'E', returnFeeNano: -1e9 })];
    const boards = [0, 1].map((day) => {
      const board = followedBoard({ asOfS: AS_OF_S + day * DAY_S, wallets: day === 0 ? [A, B] : [B, A] });
      const view = viewOf({ [A]: [win, loss] }, { nextAsOfS: day === 0 ? AS_OF_S + DAY_S : null });
      return { ...board, result: followUp(board, view) };
    });
    expect(followTotal(boards, 1.96)).to.deep.equal({
      ...{ entries: 2, resolved: 2, events: 1, roi: -0.25, low: null, high: null },
      ...{ boards: 2, wallets: 2, walletsResolved: 1, walletsInProfit: 0 },
    });
  });
});
