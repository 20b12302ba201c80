import { expect } from 'chai';
import { DEGRADED_RULES } from '#api/degraded-rules';
import type { StatusReport } from '#api/status';
import { degradedBy } from '#services/status/rules';
import { STATUS } from '#test/server/http/support/door';

const NOW_MS = Date.parse('2026-07-14T04:29:59Z');
const ratings = (dataThrough: string | null, tapeStart = '2026-04-01T00:00:00.000Z') => ({
  ...STATUS.ratings,
  data_through: dataThrough,
  tape_start: tapeStart,
});
const WELL: StatusReport = { ...STATUS, ratings: ratings('2026-07-13T00:00:00.000Z') };
const books = (seconds: number) => ({ ...STATUS.books, median_age_seconds: seconds });
const frames = (scanned: number, parsed: number) => ({
  ...STATUS.books,
  frames_scanned: scanned,
  frames_parsed: parsed,
});
const ahead = (seconds: number | null) => ({ ...STATUS.clock, ahead_seconds: seconds });
const queue = (seconds: number) => ({ ...STATUS.wallet_queue, oldest_age_seconds: seconds });
const payments = (unresolved: number) => ({ ...STATUS.payments, unresolved });
const unverified = (share: number) => ({ ...STATUS.payments, unverified_share: share });
const settlements = (oldestS: number | null, refutedAt: string | null) => ({
  facilitators: {},
  oldest_unproven_seconds: oldestS,
  last_refuted_at: refutedAt,
});
const down = { ok: false, last_ok_at: null, error: 'answered 500' };

describe('the status', () => {
  const cases: readonly [string, Partial<StatusReport>, readonly string[]][] = [
    ['is ok where nothing is wrong', {}, []],
    ['is degraded by a component that is down', { components: { gamma: down } }, ['component_down:gamma']],
    ['bears books of a minute', { books: books(60) }, []],
    ['is degraded by older books', { books: books(60.001) }, ['books_stale']],
    ['bears one frame in ten that has to be parsed', { books: frames(900, 100) }, []],
    ['is degraded by more of them', { books: frames(899, 101) }, ['frames_slow']],
    ['says nothing of them after few frames', { books: frames(0, 999) }, []],
    ['is degraded without a board', { ratings: ratings(null) }, ['ratings_missing']],
    [
      'is degraded by a board of the day before yesterday',
      { ratings: ratings('2026-07-12T00:00:00Z') },
      ['ratings_stale'],
    ],
    ['bears a tape as old as the window', { ratings: ratings('2026-07-13T00:00:00Z', '2026-04-14T00:00:00Z') }, []],
    [
      'is degraded by a younger one',
      { ratings: ratings('2026-07-13T00:00:00Z', '2026-04-14T00:00:01Z') },
      ['tape_short'],
    ],
    ['bears a clock that is five seconds ahead', { clock: ahead(5) }, []],
    ['is degraded by one that is more', { clock: ahead(5.001) }, ['clock_skew']],
    ['is degraded by one that is as much behind', { clock: ahead(-5.001) }, ['clock_skew']],
    ['bears that nobody was heard of', { clock: ahead(null) }, []],
    ['bears an hour in the queue', { wallet_queue: queue(3_600) }, []],
    ['is degraded by a longer wait', { wallet_queue: queue(3_601) }, ['queue_slow']],
    ['bears ten payments under way', { payments: payments(10) }, []],
    ['is degraded by more', { payments: payments(11) }, ['payments_unresolved']],
    ['bears half of the payments that cannot be verified', { payments: unverified(0.5) }, []],
    ['is degraded by more', { payments: unverified(0.51) }, ['payments_unverified']],
    ['bears ten minutes without proof of a settlement', { settlements: settlements(600, null) }, []],
    [
      'is degraded by a settlement that waits longer',
      { settlements: settlements(600.1, null) },
      ['settlement_unproven'],
    ],
    [
      'is degraded by a refuted settlement for a day',
      { settlements: settlements(null, '2026-07-13T04:30:00Z') },
      ['settlement_unproven'],
    ],
    ['and no longer', { settlements: settlements(null, '2026-07-13T04:29:59Z') }, []],
  ];
  for (const [title, changes, expected] of cases) {
    it(title, () => expect(degradedBy({ ...WELL, ...changes }, NOW_MS)).to.deep.equal(expected));
  }

  it("bears yesterday's board until 04:30 UTC and no longer", () => {
    expect(degradedBy(WELL, Date.parse('2026-07-14T04:29:59.999Z'))).to.deep.equal([]);
    expect(degradedBy(WELL, Date.parse('2026-07-14T04:30:00Z'))).to.deep.equal(['ratings_stale']);
  });

  it('names only rules that are explained', () => {
    const named = cases.flatMap(([, , rules]) => rules.map((rule) => rule.split(':')[0]));
    expect(new Set(named)).to.deep.equal(new Set(Object.keys(DEGRADED_RULES)));
  });
});
