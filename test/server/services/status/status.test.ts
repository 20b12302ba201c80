import { expect } from 'chai';
import { newFrameCounters } from '#domain/book/frame-applier';
import { OutsideError } from '#domain/errors';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { UpstreamHealth } from '#ports/venue';
import { Status } from '#services/status/status';
import { ManualClock } from '#test/support/manual-clock';
import { quietStatus } from '../support/quiet-status.js';

const clock = new ManualClock(Date.parse('2026-07-14T12:00:00Z'));
const FEED = { sockets: 2, live: 2, tokens: 300, silentMs: 1_500, counters: newFrameCounters() };

const BOARD: Board = {
  ...{ run: 1, asOfS: 1_783_987_200, computedAtMs: 1_783_998_000_000, config: 'c', tapeStartS: null, walletsSeen: 7 },
  ...{ walletsByVerdict: { COPY: 1, WATCH: 2, VETO: 3, NO_COVERAGE: 1 }, placeboCopies: 0 },
  ...{ leaderboard: [], redList: [] },
};

const STORE: UpstreamHealth = { name: 'store', ok: true, lastOkAtMs: clock.nowMs(), lastError: null };

/** A service that is well, but for what the test says of its feed and its upstreams. */
function statusOf({
  feed = {},
  upstreams = [],
  store = STORE,
  free = 1e9,
  rtds = {},
  ratings = { board: async () => null, runReport: async () => null },
}: {
  ratings?: Pick<RatingsStore, 'board' | 'runReport'>;
  rtds?: Partial<UpstreamHealth>;
  store?: UpstreamHealth;
  free?: number;
  feed?: Partial<typeof FEED>;
  upstreams?: readonly UpstreamHealth[];
}) {
  const quiet = quietStatus(clock);
  const books = { ...quiet.books.report(), feed: { ...FEED, ...feed } };
  const recorder = quiet.recorder.report();
  return new Status({
    ...quiet,
    storeHealth: async () => store,
    freeBytes: async () => free,
    upstreams: upstreams.map((health) => ({ health: () => health })),
    books: { report: () => books },
    recorder: { report: () => ({ ...recorder, feed: { ...recorder.feed, ...rtds } }) },
    ratings,
  });
}

describe('/status.json', () => {
  it('calls the market channel well while all of its sockets bring data, and dates the last of it', async () => {
    const { components } = await statusOf({}).report();
    expect(components['market-channel']).to.deep.equal({
      ok: true,
      last_ok_at: '2026-07-14T11:59:58.500Z',
      error: null,
    });
  });

  it('calls the market channel down while one of its sockets is, and is degraded by it', async () => {
    const { components, degraded_by: rules } = await statusOf({ feed: { live: 1 } }).report();
    expect(components['market-channel']).to.include({ ok: false, error: '1 of 2 sockets bring no data' });
    expect(rules).to.include('component_down:market-channel');
  });

  it('counts what was removed because it is too old', async () => {
    expect((await statusOf({}).report()).trimmed).to.deep.equal({ payment_answers: 3, verdicts: 4 });
  });

  it('tells which replica it is, and how busy it keeps the store', async () => {
    const { replica, store } = await statusOf({}).report();
    expect(replica).to.deep.equal({
      id: 'two',
      is_lease_held: true,
      others: 1,
      payments_taken_over: 2,
      jobs: ['night'],
    });
    const connections = { open: 6, busy: 2 };
    const standbys = [{ name: 'two', sync_state: 'async' }];
    const waits = { changes_waiting: 3, oldest_wait_seconds: 0.25 };
    expect(store).to.deep.equal({ engine: 'postgresql', ...waits, connections, standbys });
  });

  it('says that the ratings cannot be read, beside the board that was last seen, and answers all the same', async () => {
    let isAway = false;
    const read = async <T>(value: T): Promise<T> => {
      if (isAway) throw new OutsideError('store', 'the database is away', { failure: 'retryable' });
      return value;
    };
    const status = statusOf({ ratings: { board: () => read(BOARD), runReport: () => read(null) } });
    const before = await status.report();
    isAway = true;
    const { ratings, components, degraded_by: rules } = await status.report();
    expect(ratings).to.deep.equal(before.ratings).and.to.include({ wallets: BOARD.walletsSeen });
    expect(components['rating-job']).to.include({ ok: false, error: 'store: the database is away' });
    expect(rules).to.include('component_down:rating-job');
    isAway = false;
    expect((await status.report()).components['rating-job']).to.include({ ok: null });
  });

  it('is degraded by a store that cannot be used, and by a disk that is nearly full', async () => {
    const away = { ...STORE, ok: false, lastError: 'the store cannot be used' };
    const { components, degraded_by: rules } = await statusOf({ store: away, free: 150e6 }).report();
    expect(components.store).to.include({ ok: false, error: 'the store cannot be used' });
    expect(components.disk_free).to.include({ ok: false, error: '150 MB are free; 200 MB are needed' });
    expect(rules).to.include.members(['component_down:store', 'component_down:disk_free']);
  });

  it('takes the word of a component: one of two endpoints that fails is no fault, and its error is not shown', async () => {
    const health = { name: 'base-rpc', ok: true, lastOkAtMs: clock.nowMs(), lastError: 'endpoint 1 failed' };
    const { components, degraded_by: rules } = await statusOf({ upstreams: [health] }).report();
    expect(components['base-rpc']).to.deep.equal({ ok: true, last_ok_at: '2026-07-14T12:00:00.000Z', error: null });
    expect(rules).to.not.include('component_down:base-rpc');
  });

  it('shows the error of a component that is down', async () => {
    const health = { name: 'gamma', ok: false, lastOkAtMs: null, lastError: 'gamma: answered 500' };
    const { components, degraded_by: rules } = await statusOf({ upstreams: [health] }).report();
    expect(components.gamma).to.deep.equal({ ok: false, last_ok_at: null, error: 'gamma: answered 500' });
    expect(rules).to.include('component_down:gamma');
  });

  it('shows the live feed of trades as a component: down with its reason, and well again once trades come', async () => {
    const down = { ok: false, lastError: 'no trade for 30000 ms' };
    const { components, degraded_by: rules } = await statusOf({ rtds: down }).report();
    expect(components.rtds).to.deep.equal({ ok: false, last_ok_at: null, error: 'no trade for 30000 ms' });
    expect(rules).to.include('component_down:rtds');
    const back = await statusOf({ rtds: { ...down, ok: true, lastOkAtMs: clock.nowMs() } }).report();
    expect(back.components.rtds).to.deep.equal({ ok: true, last_ok_at: '2026-07-14T12:00:00.000Z', error: null });
    expect(back.degraded_by).to.not.include('component_down:rtds');
  });

  it('calls what was never tried neither ok nor down', async () => {
    const health = { name: 'gamma', ok: null, lastOkAtMs: null, lastError: null };
    const { components, degraded_by: rules } = await statusOf({
      upstreams: [health],
      feed: { sockets: 0, live: 0 },
    }).report();
    for (const name of ['gamma', 'rtds', 'market-channel', 'trade-recorder', 'rating-job']) {
      expect(components[name], name).to.include({ ok: null, error: null });
    }
    expect(rules).to.deep.equal(['ratings_missing']);
  });
});
