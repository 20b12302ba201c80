import { expect } from 'chai';
import { untilRefresh } from '#http/until-refresh';

const NOW_MS = Date.parse('2026-07-14T04:29:00Z');

describe('the cache rule of an answer that names its next refresh', () => {
  const cases: readonly [string, string, string | undefined][] = [
    ['may be kept until then', '{"next_refresh_at":"2026-07-14T04:30:00Z"}', 'private, max-age=60'],
    ['is not to be kept once it has passed', '{"next_refresh_at":"2026-07-14T04:29:00Z"}', undefined],
    ['is not to be kept where it names none', '{"verdict":"QUEUED"}', undefined],
    [
      'is not fooled by a text that looks like it',
      JSON.stringify({ name: '"next_refresh_at":"2027-01-01T00:00:00Z"' }),
      undefined,
    ],
  ];
  for (const [title, body, expected] of cases) {
    it(title, () => expect(untilRefresh(body, NOW_MS).cacheControl).to.equal(expected));
  }
});
