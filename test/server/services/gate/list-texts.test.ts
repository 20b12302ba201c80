import { expect } from 'chai';
import { cachedText } from '#services/gate/list-texts';
import { type ListFacts, toLeaderboard } from '#services/wallets/list-bodies';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';

describe('the text of a list', () => {
  const listed = storedRating({ verdict: 'WATCH' }, 'says “}” \u2028');
  const facts: ListFacts = { board: sampleBoard(), ratings: [listed], nextRefreshS: AS_OF_S, isLate: false };
  const none: ListFacts['ratings'] = [];
  /** In turn: each differs from the one before in one thing. */
  const TURNS: readonly (readonly [what: string, facts: ListFacts])[] = [
    ['the first time', facts],
    ['another refresh', { ...facts, nextRefreshS: AS_OF_S + 60 }],
    ['a board that is late', { ...facts, nextRefreshS: AS_OF_S + 60, isLate: true }],
    ['other wallets', { ...facts, nextRefreshS: AS_OF_S + 60, isLate: true, ratings: [listed, listed] }],
    ['no wallets', { ...facts, ratings: none }],
    ['another board', { ...facts, ratings: none, board: sampleBoard({ walletsSeen: 7 }) }],
    ['the first board again', facts],
  ];

  it('is what JSON.stringify writes of it, whatever changes, and is written once for each change', () => {
    let written = 0;
    const textFor = cachedText((given) => {
      written++;
      return toLeaderboard(given);
    });
    for (const [at, [what, given]] of TURNS.entries()) {
      const body = toLeaderboard(given);
      // Each call comes with an object of its own.
      const answers = [textFor({ ...given }), textFor({ ...given })];
      for (const { text, nextRefreshS } of answers) {
        expect(text, what).to.equal(JSON.stringify(body));
        expect(nextRefreshS, what).to.equal(Date.parse(body.next_refresh_at) / 1e3);
      }
      expect(written, what).to.equal(at + 1);
    }
  });
});
