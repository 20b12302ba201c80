// Reads a venue with a client of it, and prints what came as JSON. The argument is JSON: name, what
// (terms, channel or trades), url (gamma, clob, data, ws, rtds), market (slug, conditionId, tokenId),
// user, and count: how many events of the channel, or trades of the feed, are waited for.
import { createRequire } from 'node:module';

const { name, what, url, market, user, count } = JSON.parse(process.argv[2]);
const { slug, conditionId, tokenId } = market;
const levels = (side) => side.map(({ price, size }) => [Number(price), Number(size)]);
const bookOf = ({ bids, asks }) => ({ bids: levels(bids), asks: levels(asks) });

async function official() {
  // Node has a WebSocket of its own since version 22.
  globalThis.WebSocket ??= (await import('ws')).WebSocket;
  const { createPublicClient, forkEnvironmentConfig } = await import('@polymarket/client');
  const { fetchMarketInfo, fetchTickSize } = await import('@polymarket/client/actions');
  const environment = forkEnvironmentConfig({
    name: 'local',
    gamma: { rest: url.gamma },
    clob: { rest: url.clob, market: { ws: url.ws } },
    data: { rest: url.data },
    rtds: { ws: url.rtds },
  });
  const client = createPublicClient({ environment });
  const pageOf = async (paginated) => (await paginated.firstPage()).items;
  return {
    async terms() {
      const [listed, book, info] = await Promise.all([
        client.fetchMarket({ slug }),
        client.fetchOrderBook({ tokenId }),
        fetchMarketInfo(client, { conditionId }),
      ]);
      const tick = await fetchTickSize(client, { tokenId });
      return { listed, book: bookOf(book), hash: book.hash, info, tick: Number(tick) };
    },
    async channel() {
      const handle = await client.subscribe([{ topic: 'market', tokenIds: [tokenId], customFeatureEnabled: true }]);
      const events = [];
      for await (const { type, payload } of handle) {
        const own = payload.priceChanges?.find((change) => change.tokenId === tokenId);
        const hash = type === 'book' ? payload.hash : own?.hash;
        events.push({ type, hash, transactionHash: payload.transactionHash });
        if (events.length >= count) break;
      }
      return events;
    },
    async trades() {
      const [ofMarket, activity] = await Promise.all([
        pageOf(client.listTrades({ market: [conditionId], pageSize: 50 })),
        pageOf(client.listActivity({ user, pageSize: 500 })),
      ]);
      return { ofMarket: ofMarket.map((row) => [row.transactionHash, Number(row.price), Number(row.size)]), activity };
    },
  };
}

async function ofTheClob() {
  const { ClobClient } = await import('@polymarket/clob-client-v2');
  const client = new ClobClient({ host: url.clob, chain: 137, throwOnError: true });
  return {
    async terms() {
      const book = await client.getOrderBook(tokenId);
      const computed = await client.getOrderBookHash(book);
      const [tick, negRisk] = [await client.getTickSize(tokenId), await client.getNegRisk(tokenId)];
      const info = await client.getClobMarketInfo(conditionId);
      const { condition_id } = await client.getMarket(conditionId);
      const [other] = await client.getOrderBooks([{ token_id: tokenId }]);
      const same = JSON.stringify(bookOf(other)) === JSON.stringify(bookOf(book));
      const said = { info, negRisk, condition_id, same, time: Number(await client.getServerTime()) };
      return { book: bookOf(book), hash: book.hash, computed, tick: Number(tick), ...said };
    },
  };
}

async function liveFeed() {
  const { RealTimeDataClient } = createRequire(import.meta.url)('@polymarket/real-time-data-client');
  return {
    trades: () =>
      new Promise((resolve) => {
        const rows = [];
        const client = new RealTimeDataClient({
          host: url.rtds,
          onConnect: (open) => open.subscribe({ subscriptions: [{ topic: 'activity', type: 'trades' }] }),
          onMessage: (open, { payload }) => {
            rows.push([payload.transactionHash, payload.price, payload.size]);
            if (rows.length === count) resolve(rows.toSorted());
            if (rows.length >= count) open.disconnect();
          },
        });
        client.connect();
      }),
  };
}

async function ofCcxt() {
  const { default: ccxt } = await import('ccxt');
  const client = new ccxt.prediction.polymarket();
  Object.assign(client.urls.api, { gamma: url.gamma, clob: url.clob, data: url.data, ws: url.ws });
  const pairs = ({ bids, asks }) => ({ bids: bids.toReversed(), asks: asks.toReversed() });
  return {
    async terms() {
      const outcome = await client.fetchOutcome(tokenId);
      const [book, fee] = [await client.fetchOrderBook(tokenId), await client.fetchTradingFee(tokenId)];
      return { book: pairs(book), fee, outcome };
    },
    async channel() {
      await client.loadHttpProxyAgent();
      const events = [];
      while (events.length < count) {
        const book = pairs(await client.watchOrderBook(tokenId));
        events.push([book.bids.at(-1)?.[0], book.asks.at(-1)?.[0]]);
      }
      await client.close();
      return events;
    },
    async trades() {
      const rows = await client.fetchTrades(tokenId);
      return { ofMarket: rows.map(({ info, price, amount }) => [info.transactionHash, price, amount]) };
    },
  };
}

const CLIENTS = {
  '@polymarket/client': official,
  '@polymarket/clob-client-v2': ofTheClob,
  '@polymarket/real-time-data-client': liveFeed,
  ccxt: ofCcxt,
};

const client = await CLIENTS[name]();
const came = JSON.stringify(await client[what]());
process.stdout.write(`${came}\n`, () => process.exit());
