import { expect } from 'chai';
import { type BodyFacts, toWalletProfile } from '#judge/wallet/bodies';
import { cachedProfiles } from '#services/gate/profile-texts';
import { AS_OF_S, storedRating } from '#test/support/sample-ratings';

describe('the text of a profile', () => {
  const stored = storedRating({}, 'says “}” \u2028');
  const other = storedRating({ wallet: `0x${'cd'.repeat(20)}` });
  const facts: BodyFacts = { nextRefreshS: AS_OF_S + 60 };
  const isLate: BodyFacts = { ...facts, isLate: true };
  const isCut: BodyFacts = { ...isLate, tapeStartS: AS_OF_S - 86_400 };
  /** In turn: each differs from the one before in one thing. */
  const TURNS = [
    ['the first time', stored, facts, 1],
    ['another refresh', stored, { nextRefreshS: AS_OF_S + 120 }, 2],
    ['the first refresh again', stored, facts, 3],
    ['a board that is late', stored, isLate, 4],
    ['a tape that begins within the window', stored, isCut, 5],
    ['a wallet beside it', other, isCut, 6],
    ['the wallet before it', stored, isCut, 6],
    ['a new name', { ...stored, name: 'another' }, isCut, 7],
    ['a new rating', storedRating({ pending: 5 }), isCut, 8],
  ] as const;

  it('is what JSON.stringify writes of it, whatever changes, and is written once for each change', () => {
    let written = 0;
    const textFor = cachedProfiles((rating, given) => {
      written++;
      return toWalletProfile(rating, given);
    });
    for (const [what, rating, given, times] of TURNS) {
      const body = toWalletProfile(rating, given);
      // Each call comes with facts of its own, and with more than is said.
      for (const { text, nextRefreshS } of [textFor(rating, { ...given }), textFor(rating, { ...given })]) {
        expect(text, what).to.equal(JSON.stringify(body));
        expect(nextRefreshS, what).to.equal(Date.parse(body.next_refresh_at) / 1e3);
      }
      expect(written, what).to.equal(times);
    }
  });
});
