import { expect } from 'chai';
import { FOLLOW_EVENTS_MIN, FOLLOW_RESOLVED_MIN, FOLLOWED_BOARDS_SHOWN, FollowUpSchema } from '#api/follow-up';
import { OutsideError } from '#domain/errors';
import { FOLLOWED_BOARDS_DAYS, type FollowResult } from '#domain/follow-up/followed-board';
import { MARKET_GROUPS } from '#domain/scoreboard/score-day';
import { toFollowUp } from '#services/scoreboard/follow-report';
import { FollowView } from '#services/scoreboard/follow-view';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { AS_OF_S } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const SHOWN_BYTES_MAX = 40_000;

const shownOf = (result: FollowResult | null, changes: object = {}) =>
  FollowUpSchema.parse(toFollowUp([followedBoard({ ...changes, result })])).boards[0]!;

describe('what is shown of boards that are followed', () => {
  it('is as the interface says, with nothing and with a board of which nothing was counted', () => {
    expect(FollowUpSchema.parse(toFollowUp([]))).to.deep.include({
      boards: [],
      total: {
        ...{ boards: 0, wallets: 0, entries: 0, resolved: 0, events: 0, mean_return: null, ci95: null },
        ...{ wallets_resolved: 0, wallets_in_profit: null },
      },
    });
    expect(shownOf(null)).to.deep.equal({
      ...{ as_of: '2026-08-01', computed_at: '2026-08-01T03:20:00.345Z', rating_config: 'c0ffee00c0ffee00' },
      ...{ copy_count: 3, placebo_copy_count: 2, wallets: 2, until: null, is_final: false, unseen_hours: 0 },
      ...{ entries: 0, resolved: 0, events: 0, mean_return: null, ci95: null },
      ...{ wallets_resolved: 0, wallets_in_profit: null },
    });
    expect(shownOf(null, { wallets: [] }).is_final).to.equal(true);
  });

  it('has the counts of a board, until when they go, and what was not seen', () => {
    expect(shownOf(followResult({ unseenS: 361 }))).to.include({
      ...{ until: '2026-08-06', unseen_hours: 0.2, entries: 50, resolved: 40, events: 20 },
      ...{ mean_return: -0.0421, wallets_resolved: 2, wallets_in_profit: 1 },
    });
    expect(shownOf(followResult({ knownS: AS_OF_S + 90 * DAY_S })).until).to.equal('2026-08-31');
  });

  for (const [what, counts, isShown] of [
    ['enough', { resolved: FOLLOW_RESOLVED_MIN, events: FOLLOW_EVENTS_MIN }, true],
    ['too few entries', { resolved: FOLLOW_RESOLVED_MIN - 1, events: FOLLOW_EVENTS_MIN }, false],
    ['too few events', { resolved: FOLLOW_RESOLVED_MIN, events: FOLLOW_EVENTS_MIN - 1 }, false],
  ] as const) {
    it(`tells ${isShown ? 'a' : 'no'} return of ${what}`, () => {
      const { mean_return: mean, ci95, wallets_in_profit: inProfit } = shownOf(followResult(counts));
      const told = isShown ? [-0.0421, [-0.2, 0.1158], 1] : [null, null, null];
      expect([mean, ci95, inProfit]).to.deep.equal(told);
    });
  }

  it('is the newest boards one by one, and all of them in the sum; it stays small', () => {
    const boards = Array.from({ length: FOLLOWED_BOARDS_DAYS }, (_, day) => {
      const byGroup = Array.from({ length: MARKET_GROUPS }, (_, group) => ({ group, scored: 1, returnFeeNano: 5e7 }));
      const own = { entries: MARKET_GROUPS, byWallet: [{ wallet: 0, returnFeeNano: 1 }], byGroup };
      return followedBoard({ asOfS: AS_OF_S + day * DAY_S, result: followResult({ own }) });
    });
    const shown = FollowUpSchema.parse(toFollowUp(boards));
    expect(shown.boards).to.have.length(FOLLOWED_BOARDS_SHOWN);
    expect([shown.boards[0]!.as_of, shown.boards.at(-1)!.as_of]).to.deep.equal(['2027-09-04', '2027-07-07']);
    expect(shown.total).to.include({
      ...{ boards: FOLLOWED_BOARDS_DAYS, wallets: 2, events: MARKET_GROUPS, mean_return: 0.05 },
      resolved: FOLLOWED_BOARDS_DAYS * MARKET_GROUPS,
    });
    expect(JSON.stringify(shown).length).to.be.below(SHOWN_BYTES_MAX);
  });

  it('leaves out a board that cannot be read, and says so in the log', async () => {
    const fault = new OutsideError('store', 'row follow/1 is malformed', { failure: 'final' });
    const warnings: unknown[] = [];
    const nothing = () => {};
    const log = { debug: nothing, info: nothing, error: nothing, warn: (facts: object) => warnings.push(facts) };
    const view = new FollowView({
      log,
      follows: { list: async () => ({ items: [followedBoard()], faults: [fault], next: null }) },
    });
    const before = view.report;
    await view.refresh();
    expect([before.boards.length, view.report.boards.length]).to.deep.equal([0, 1]);
    expect(warnings).to.deep.equal([{ err: fault }]);
  });
});
