import { expect } from 'chai';
import { untilRefresh } from '#http/answers/gate-answer';

const NOW_MS = Date.parse('2026-07-14T04:29:00Z');

describe('the cache rule of an answer that names its next refresh', () => {
  const cases: readonly [string, number | null, string | null][] = [
    ['may be kept until then', NOW_MS / 1e3 + 60, 'private, max-age=60'],
    ['is in whole seconds, and never too long', NOW_MS / 1e3 + 59.999, 'private, max-age=59'],
    ['is not to be kept once it has passed', NOW_MS / 1e3, null],
    ['is not to be kept where it names none', null, null],
  ];
  for (const [title, nextRefreshS, expected] of cases) {
    it(title, () => expect(untilRefresh(nextRefreshS, { nowMs: () => NOW_MS })).to.equal(expected));
  }
});
