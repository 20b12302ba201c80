import { expect } from 'chai';
import { nextRefreshOf, nextRefreshOfText } from '#api/written-answer';

const REFRESH_S = Date.parse('2026-07-14T04:30:00Z') / 1e3;

describe('the next refresh of an answer', () => {
  const cases: readonly [string, object, number | null][] = [
    ['is the moment that it names', { ok: true, next_refresh_at: '2026-07-14T04:30:00Z' }, REFRESH_S],
    ['is not known where it names none', { verdict: 'QUEUED' }, null],
    ['is not known where it is no text', { next_refresh_at: null }, null],
    ['is not read out of another text', { name: '"next_refresh_at":"2027-01-01T00:00:00Z"' }, null],
  ];
  for (const [title, answer, expected] of cases) {
    it(title, () => {
      expect(nextRefreshOf(answer)).to.equal(expected);
      expect(nextRefreshOfText(JSON.stringify(answer))).to.equal(expected);
    });
  }
});
