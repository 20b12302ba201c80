import { expect } from 'chai';
import { createHttpJson, type HttpJson } from '#adapters/http-client/json';
import { createPolymarketData, DATA_BUDGET, DATA_LIMITS, type PolymarketData } from '#adapters/polymarket/data';
import { OutsideError } from '#domain/errors';
import type { Fill } from '#domain/rating/fill';
import type { TradePage } from '#ports/trade-source';
import { type DataApiServer, startDataApi } from '#test/support/data-api-server';
import { sendJson } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { rejectionOf } from '#test/support/promises';
import { hex40, hex64, pageV2, rowV1, tradeNumber } from '#test/support/trade-rows';

const TIME_S = 1_780_000_000;
/** 100 trades, newest first, two in each second. */
const FILLS = Array.from({ length: 100 }, (_, n) => tradeNumber(n, TIME_S - Math.floor(n / 2)));
const PAGES_MAX = 300;

async function walk(fetchPage: (cursor: string | null) => Promise<TradePage>): Promise<Fill[]> {
  const fills: Fill[] = [];
  let cursor: string | null = null;
  for (let n = 0; n < PAGES_MAX; n++) {
    const page: TradePage = await fetchPage(cursor);
    fills.push(...page.fills);
    if (page.next === null) return fills;
    cursor = page.next;
  }
  throw new Error(`no end after ${PAGES_MAX} pages`);
}

/** What a walk brought, each trade once, in the order of FILLS. */
function once(fills: readonly Fill[]): readonly Fill[] {
  const seen = new Set(fills.map(({ tx }) => tx));
  expect(fills.every((fill) => FILLS.some((one) => JSON.stringify(one) === JSON.stringify(fill)))).to.equal(true);
  return FILLS.filter(({ tx }) => seen.has(tx));
}

describe('the Data API as a source of trades', () => {
  let server: DataApiServer;
  let source: PolymarketData;
  let clock: ManualClock;

  beforeEach(async () => {
    server = await startDataApi({ fills: FILLS, rowsPerPage: 7, version: 2 });
    clock = new ManualClock();
    const limits = { backoffFirstMs: 1, backoffMaxMs: 2, breakerFailures: 100 };
    const data = createHttpJson({ upstream: 'data-api', baseUrl: server.baseUrl, budget: DATA_BUDGET, clock, limits });
    source = createPolymarketData({ data, clock });
  });
  afterEach(() => server.close());

  for (const version of [2, 1] as const) {
    describe(`version ${version}`, () => {
      beforeEach(() => server.set({ version }));

      it('brings everybody’s trades, page by page', async () => {
        const fills = await walk((cursor) => source.fetchTrades(cursor));
        expect(fills).to.deep.equal(FILLS);
      });

      it('asks for maker fills as well', async () => {
        await source.fetchTrades(null);
        await source.hasTraded(hex40(1));
        const requested = server.seen.filter(({ url }) => url.startsWith(version === 2 ? '/v2/' : '/trades'));
        expect(requested.length).to.be.at.least(2);
        for (const { url } of requested) expect(url).to.match(/taker_?only=false/i);
      });

      it('brings one wallet’s trades of a range of seconds, both ends included', async () => {
        const range = { fromS: TIME_S - 30, toS: TIME_S - 10 };
        const fills = await walk((cursor) => source.fetchWalletTrades(hex40(3), range, cursor));
        expect(fills).to.deep.equal(
          FILLS.filter(({ wallet, timeS }) => wallet === hex40(3) && timeS >= range.fromS && timeS <= range.toS),
        );
      });

      it('brings one market’s trades of a range, and does not walk on behind it', async () => {
        const range = { fromS: TIME_S - 12, toS: TIME_S - 4 };
        server.set({ rowsPerPage: 2 });
        const fills = await walk((cursor) => source.fetchMarketTrades(hex64(2), range, cursor));
        expect(fills).to.deep.equal(
          FILLS.filter(({ condition, timeS }) => condition === hex64(2) && timeS >= range.fromS && timeS <= range.toS),
        );
        expect(server.seen.length).to.be.below(8);
      });

      it('tells whether a wallet ever traded', async () => {
        expect(await source.hasTraded(hex40(3))).to.equal(true);
        expect(await source.hasTraded(hex40(99))).to.equal(false);
      });

      it('loses nothing where trades are made while it pages', async () => {
        let made = 0;
        const fills = await walk((cursor) => {
          server.set({
            fills: [...Array.from({ length: made }, (_, n) => tradeNumber(1_000 + n, TIME_S + 1)), ...FILLS],
          });
          if (version === 1) made += 3;
          return source.fetchTrades(cursor);
        });
        expect(once(fills.filter(({ timeS }) => timeS <= TIME_S))).to.deep.equal(FILLS);
      });

      it('keeps the readable rows of a page, and names the wallets of them', async () => {
        server.disturb((_, response) => {
          const torn = [{ type: 'REDEEM', outcomeIndex: 999 }, null, 'x'];
          const rows = version === 2 ? { ...pageV2(FILLS.slice(0, 2)) } : FILLS.slice(0, 2).map(rowV1);
          const body = Array.isArray(rows)
            ? [...torn, ...rows]
            : { ...rows, data: [...torn, ...(rows.data as unknown[])] };
          if (version === 2) sendJson(response, body);
          else
            sendJson(
              response,
              server.seen.at(-1)!.url.startsWith('/v2') ? { error: 'not found' } : body,
              server.seen.at(-1)!.url.startsWith('/v2') ? 404 : 200,
            );
          return true;
        });
        const page = await source.fetchTrades(null);
        expect([page.fills, page.skipped, page.unreadable]).to.deep.equal([FILLS.slice(0, 2), 1, 2]);
        expect(page.names).to.deep.equal([
          { wallet: hex40(0), name: 'Wallet-00' },
          { wallet: hex40(1), name: 'Wallet-01' },
        ]);
      });

      for (const [what, disturb] of [
        ['answers 500', (n: number) => n < 2 && { status: 500, body: '{}' }],
        ['answers 503', (n: number) => n < 4 && { status: 503, body: '{"error":"request_timeout"}' }],
        ['answers 429', (n: number) => n < 2 && { status: 429, body: '{}' }],
        ['tears a page off', (n: number) => n < 2 && { status: 200, body: '[{"proxyWallet":"0x' }],
      ] as const) {
        it(`asks again where the venue ${what}`, async () => {
          let n = 0;
          server.disturb((_, response) => {
            const answer = disturb(n++);
            if (answer === false) return false;
            response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
            return true;
          });
          expect(await walk((cursor) => source.fetchTrades(cursor))).to.deep.equal(FILLS);
        });
      }

      it('follows no redirect, and says so after its attempts', async () => {
        const elsewhere = await startDataApi({ fills: FILLS, rowsPerPage: 7, version });
        server.disturb((path, response) => {
          response.writeHead(302, { location: `${elsewhere.baseUrl}${path}` }).end();
          return true;
        });
        expect((await rejectionOf<OutsideError>(source.fetchTrades(null))).failure).to.equal('retryable');
        expect(elsewhere.seen).to.deep.equal([]);
        await elsewhere.close();
      });

      it('rejects an answer that is no page', async () => {
        for (const body of [{}, { data: [], pagination: { has_more: true, next_cursor: null } }, 'text', 7]) {
          server.disturb((path, response) => {
            if (version === 1 && path.startsWith('/v2/')) sendJson(response, { error: 'not found' }, 404);
            else sendJson(response, body);
            return true;
          });
          const error = await rejectionOf<OutsideError>(source.fetchTrades(null));
          expect(error).to.be.instanceOf(OutsideError);
          expect(error.message).to.match(/^data-api: answered something other than/);
        }
      });
    });
  }

  it('tries the second version again ten minutes after it was not there', async () => {
    server.set({ version: 1 });
    await source.fetchTrades(null);
    await source.fetchTrades(null);
    expect(server.seen.map(({ url }) => url.split('?')[0])).to.deep.equal(['/v2/trades', '/trades', '/trades']);
    server.set({ version: 2 });
    clock.advance(600_000);
    expect((await source.fetchTrades(null)).next).to.equal('v2:at-7');
  });

  it('ends a walk by cursor with status 400 where the second version is gone or refuses the cursor', async () => {
    const { next } = await source.fetchTrades(null);
    server.disturb((_, response) => {
      sendJson(response, { error: 'bad cursor' }, 400);
      return true;
    });
    expect(await rejectionOf<OutsideError>(source.fetchTrades(next))).to.include({ failure: 'final', status: 400 });
    server.disturb(() => false);
    server.set({ version: 1 });
    expect(await rejectionOf<OutsideError>(source.fetchTrades(next))).to.include({ failure: 'final', status: 400 });
  });

  it('gives up where the venue runs out of time again and again', async () => {
    server.disturb((_, response) => {
      sendJson(response, { error: 'request_timeout' }, 503);
      return true;
    });
    const error = await rejectionOf<OutsideError>(source.fetchTrades(null));
    expect(error).to.include({ failure: 'retryable', status: 503 });
    expect(server.seen).to.have.length(DATA_BUDGET.attemptsMax);
  });

  it('waits as long as the venue asks for after too many calls, and asks nothing meanwhile', async () => {
    const limits = { ...DATA_LIMITS, backoffFirstMs: 1, backoffMaxMs: 2 };
    const data = createHttpJson({ upstream: 'data-api', baseUrl: server.baseUrl, budget: DATA_BUDGET, clock, limits });
    source = createPolymarketData({ data, clock });
    let isThrottled = true;
    server.disturb((_, response) => {
      if (isThrottled) response.writeHead(429, { 'retry-after': '1' }).end();
      isThrottled = false;
      return server.seen.length === 1;
    });
    const [first, second] = await Promise.all([source.fetchTrades(null), source.fetchTrades(null)]);
    expect([first.fills, second.fills]).to.deep.equal([FILLS.slice(0, 7), FILLS.slice(0, 7)]);
    expect(DATA_LIMITS.throttleWaitMaxMs).to.equal(DATA_LIMITS.throttleMaxMs);
  });

  it('asks for a page by its cursor with all filters of the page before, and never for more than it may', async () => {
    const range = { fromS: TIME_S - 45, toS: TIME_S };
    await walk((cursor) => source.fetchWalletTrades(hex40(3), range, cursor));
    await walk((cursor) => source.fetchMarketTrades(hex64(2), range, cursor));
    await walk((cursor) => source.fetchTrades(cursor));
    const queries = server.seen.map(({ url }) => new URL(url, 'http://x').searchParams);
    const filters = (query: URLSearchParams) =>
      `${new URLSearchParams([...query].filter(([name]) => name !== 'cursor'))}`;
    expect(queries.some((query) => query.has('cursor') && query.has('user'))).to.equal(true);
    expect(new Set(queries.map(filters)).size).to.equal(3);
    for (const query of queries) expect(Number(query.get('limit'))).to.be.at.most(1_000);
  });

  it('does not follow a page to itself', async () => {
    server.disturb((_, response) => {
      sendJson(response, pageV2(FILLS.slice(0, 2), 'again'));
      return true;
    });
    const { next } = await source.fetchTrades(null);
    expect((await rejectionOf<OutsideError>(source.fetchTrades(next))).message).to.include('whose next page is itself');
  });

  it('does not say that a wallet never traded where neither version is there', async () => {
    const data: HttpJson = {
      upstream: 'data-api',
      get: async () => ({ kind: 'refused', status: 404, text: '{"error":"not found"}' }),
      post: () => Promise.reject(new Error('nothing is posted')),
      probe: async () => {},
      health: () => ({ name: 'data-api', ok: null, lastOkAtMs: null, lastError: null }),
    };
    const refused = await rejectionOf<OutsideError>(createPolymarketData({ data, clock }).hasTraded(hex40(7)));
    expect(refused).to.be.instanceOf(OutsideError);
  });

  for (const version of [2, 1] as const) {
    it(`reads pages in the background, and whether a wallet ever traded for a caller who waits (version ${version})`, async () => {
      const requested: [boolean, string | undefined][] = [];
      const data: HttpJson = {
        upstream: 'data-api',
        get: async (path, callClass) => {
          requested.push([path.includes('limit=1&') || path.endsWith('limit=1'), callClass]);
          if (path.startsWith('/v2') && version === 1)
            return { kind: 'refused', status: 404, text: '{"error":"not found"}' };
          return { kind: 'ok', body: version === 1 ? [] : { data: [], pagination: { has_more: false } } };
        },
        post: () => Promise.reject(new Error('nothing is posted')),
        probe: async () => {},
        health: () => ({ name: 'data-api', ok: null, lastOkAtMs: null, lastError: null }),
      };
      const one = createPolymarketData({ data, clock });
      await one.hasTraded(hex40(7)).catch(() => undefined);
      await one.fetchTrades(null).catch(() => undefined);
      expect(requested.map(([isOne]) => isOne)).to.include.members([true, false]);
      for (const [isOne, callClass] of requested) expect(callClass).to.equal(isOne ? undefined : 'background');
    });
  }

  describe('beyond the offsets of the first version', () => {
    for (const offsetMax of [20, 21, 27, 28]) {
      it(`goes on with a window that ends at the oldest trade (refused above ${offsetMax})`, async () => {
        server.set({ version: 1, offsetMax });
        expect(once(await walk((cursor) => source.fetchTrades(cursor)))).to.deep.equal(FILLS);
        expect(server.seen.some(({ url }) => url.includes('&end='))).to.equal(true);
      });
    }

    for (const at of [3, 16, 20]) {
      it(`loses no other trade by one of an ancient time (row ${at})`, async () => {
        const fills = FILLS.with(at, { ...FILLS[at]!, timeS: 1_600_000_000 });
        server.set({ version: 1, offsetMax: 20, fills });
        const seen = new Set((await walk((cursor) => source.fetchTrades(cursor))).map(({ tx }) => tx));
        for (const { tx } of FILLS) if (tx !== FILLS[at]!.tx) expect(seen).to.include(tx);
      });
    }

    it('does so by itself before the documented limit', async () => {
      const many = Array.from({ length: 12_500 }, (_, n) => tradeNumber(n, TIME_S - Math.floor(n / 4)));
      server.set({ version: 1, rowsPerPage: 1_000, fills: many });
      const seen = new Set((await walk((cursor) => source.fetchTrades(cursor))).map(({ tx }) => tx));
      expect(seen.size).to.equal(many.length);
      expect(
        server.seen.every(({ url }) => Number(new URL(url, 'http://x').searchParams.get('offset')) <= 10_000),
      ).to.equal(true);
    });

    it('rejects where one second holds more than it lists, or the window is not heeded', async () => {
      server.set({ version: 1, offsetMax: 20, fills: FILLS.map((fill) => ({ ...fill, timeS: TIME_S })) });
      const error = await rejectionOf<OutsideError>(walk((cursor) => source.fetchTrades(cursor)));
      expect(error).to.include({ failure: 'final' });
      expect(error.message).to.include('has to come from the chain');
    });
  });
});
