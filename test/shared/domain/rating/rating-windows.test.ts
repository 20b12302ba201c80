import { expect } from 'chai';
import { asOfOf, nextRefreshS, ratingWindows } from '#domain/rating/rating-windows';
import { CONFIG, seconds } from '../support/tape-fixtures.js';

const iso = (timeS: number) => new Date(timeS * 1000).toISOString().slice(0, 19);

describe('rating windows', () => {
  it('rates for the begin of the UTC day', () => {
    const asOf = (now: string) => iso(asOfOf(seconds(now)));
    expect(asOf('2026-07-01T00:00:00Z')).to.equal('2026-07-01T00:00:00');
    expect(asOf('2026-07-01T23:59:59Z')).to.equal('2026-07-01T00:00:00');
    expect(iso(asOfOf(seconds('2026-06-30T23:59:59Z') + 0.999))).to.equal('2026-06-30T00:00:00');
  });

  const refreshes: readonly [string, string][] = [
    ['2026-07-01T00:00:00Z', '2026-07-01T04:30:00'],
    ['2026-07-01T04:29:00Z', '2026-07-01T04:30:00'],
    ['2026-07-01T04:29:59Z', '2026-07-01T04:30:00'],
    ['2026-07-01T04:30:00Z', '2026-07-02T04:30:00'],
    ['2026-07-01T04:31:00Z', '2026-07-02T04:30:00'],
    ['2026-12-31T23:59:59Z', '2027-01-01T04:30:00'],
  ];
  for (const [now, next] of refreshes) {
    it(`refreshes next at ${next} when it is ${now}`, () => expect(iso(nextRefreshS(seconds(now)))).to.equal(next));
  }

  for (const [asOf, now, next] of [
    ['2026-06-30', '2026-07-01T03:05:00Z', '2026-07-01T04:30:00'],
    ['2026-06-30', '2026-07-01T04:29:59Z', '2026-07-01T04:30:00'],
    ['2026-06-30', '2026-07-01T04:30:00Z', '2026-07-01T04:45:00'],
    ['2026-06-28', '2026-07-01T03:05:00Z', '2026-07-01T03:20:00'],
    ['2026-07-01', '2026-07-01T03:05:00Z', '2026-07-02T04:30:00'],
    ['2026-07-01', '2026-07-02T04:29:59Z', '2026-07-02T04:30:00'],
  ] as const) {
    it(`refreshes the board of ${asOf} next at ${next} when it is ${now}`, () =>
      expect(iso(nextRefreshS(seconds(now), seconds(`${asOf}T00:00:00Z`)))).to.equal(next));
  }

  it('refreshes a late board when it is looked for next, if that is after a quarter of an hour', () => {
    const [now, asOf] = [seconds('2026-07-01T09:00:00Z'), seconds('2026-06-30T00:00:00Z')];
    expect(nextRefreshS(now, asOf, now + 600)).to.equal(now + 900);
    expect(nextRefreshS(now, asOf, now + 1_000)).to.equal(now + 1_000);
    expect(nextRefreshS(now, asOf, now - 5), 'a run is under way').to.equal(now + 900);
    expect(nextRefreshS(now, asOf + 86_400, now + 1_000), 'it is not late').to.equal(asOf + 2 * 86_400 + 16_200);
  });

  it('looks back 90 days, of which the last two months are set apart', () => {
    const { fromS, inSampleFromS, outOfSampleFromS, asOfS } = ratingWindows(seconds('2026-07-01T00:00:00Z'), CONFIG);
    expect([fromS, inSampleFromS, outOfSampleFromS, asOfS].map(iso)).to.deep.equal([
      '2026-04-02T00:00:00',
      '2026-05-02T00:00:00',
      '2026-06-01T00:00:00',
      '2026-07-01T00:00:00',
    ]);
  });
});
