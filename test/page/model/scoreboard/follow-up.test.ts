import { expect } from 'chai';
import { boardCells, profitText, returnsOf, returnText } from '#page/model/scoreboard/follow-up';
import { toFollowUp } from '#services/scoreboard/follow-report';
import { followedBoard, followResult } from '#test/support/sample-follows';
import { AS_OF_S } from '#test/support/sample-ratings';

const DAY_S = 86_400;
const FEW = followResult({ resolved: 3, events: 3 });
const followUp = toFollowUp([
  followedBoard({ result: followResult({ isFinal: true, unseenS: 0 }) }),
  followedBoard({ asOfS: AS_OF_S + DAY_S, result: followResult({ roi: 0.07, low: 0.02, high: 0.12 }) }),
  followedBoard({ asOfS: AS_OF_S + 2 * DAY_S, result: FEW }),
  followedBoard({ asOfS: AS_OF_S + 3 * DAY_S }),
]);

describe('boards that are followed, on the page', () => {
  it('are drawn around zero, the oldest first, those that can tell a return', () => {
    const { marks, top, bottom } = returnsOf(followUp);
    expect([top, bottom]).to.deep.equal(['+20.0%', '−20.0%']);
    expect(marks.map(({ text }) => text)).to.deep.equal([
      '2026-08-01: −4.2% (−20.0% to +11.6%)',
      '2026-08-02: +7.0% (+2.0% to +12.0%)',
    ]);
    expect(marks[0]!.low).to.equal(-1);
    for (const { low, at, high } of marks)
      expect([low, at, high]).to.deep.equal([low, at, high].toSorted((a, b) => a - b));
  });

  it('have an axis also where there is nothing to draw', () => {
    expect(returnsOf(toFollowUp([]))).to.deep.equal({ marks: [], top: '+10.0%', bottom: '−10.0%' });
  });

  it('are a table, the newest first, without those of which nothing was counted', () => {
    expect(boardCells(followUp)).to.deep.equal([
      { day: '2026-08-03', cells: ['3', '2', '50', '3', '–', '–', 'to 2026-08-06, 2 h not seen'] },
      {
        day: '2026-08-02',
        cells: ['3', '2', '50', '40', '1 of 2', '+7.0% (+2.0% to +12.0%)', 'to 2026-08-06, 2 h not seen'],
      },
      { day: '2026-08-01', cells: ['3', '2', '50', '40', '1 of 2', '−4.2% (−20.0% to +11.6%)', 'final'] },
    ]);
  });

  it('show a board without COPY at once: nothing will be counted of it', () => {
    const none = toFollowUp([followedBoard({ copies: 0, placeboCopies: 1, wallets: [] })]);
    expect(boardCells(none).map(({ cells }) => cells)).to.deep.equal([['0', '1', '0', '0', '–', '–', 'no COPY']]);
  });

  it('have a dash for what cannot be told', () => {
    expect(returnText(null, null)).to.equal('–');
    expect(profitText({ wallets_in_profit: null, wallets_resolved: 2 })).to.equal('–');
  });
});
