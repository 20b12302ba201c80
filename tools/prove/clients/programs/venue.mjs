// Reads a venue with a client of it, and prints what came as JSON. The argument is JSON: name, what
// (terms, channel, trades or orders), url (gamma, clob, data, ws, rtds), market (slug, conditionId, tokenId),
// user, and count: how many events of the channel, or trades of the feed, are waited for.
import { createRequire } from 'node:module';

const { name, what, url, market, user, count } = JSON.parse(process.argv[2]);
const { slug, conditionId, tokenId } = market;
const levels = (side) => side.map(({ price, size }) => [Number(price), Number(size)]);
const bookOf = ({ bids, asks }) => ({ bids: levels(bids), asks: levels(asks) });

// Somebody with money: the venue asks nobody else.
const KEY = `0x${'7a'.repeat(32)}`;

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
    async orders() {
      const { createSecureClient } = await import('@polymarket/client');
      const { privateKey } = await import('@polymarket/client/viem');
      const { privateKeyToAccount } = await import('viem/accounts');
      const wallet = privateKeyToAccount(KEY).address;
      const trader = await createSecureClient({ environment, wallet, signer: privateKey(KEY) });
      const bought = await trader.placeMarketOrder({ tokenId, side: 'BUY', amount: 20, orderType: 'FOK' });
      const sold = await trader.placeMarketOrder({ tokenId, side: 'SELL', shares: 15, orderType: 'FAK' });
      const resting = await trader.placeLimitOrder({ tokenId, side: 'BUY', size: 10, price: 0.05, postOnly: true });
      const expiration = Math.floor(Date.now() / 1_000) + 600;
      const dated = await trader.placeLimitOrder({ tokenId, side: 'BUY', size: 10, price: 0.04, expiration });
      const crossing = await trader
        .placeLimitOrder({ tokenId, side: 'BUY', size: 10, price: 0.95, postOnly: true })
        .catch((error) => ({ refusal: error.message }));
      const open = await pageOf(trader.listOpenOrders());
      const cancelled = await trader.cancelAll();
      return {
        statuses: [bought, sold, resting, dated].map(({ status }) => status),
        ids: [resting, dated].map(({ orderId }) => orderId),
        shares: Number(bought.takingAmount),
        refusal: crossing.refusal,
        open: open.map(({ id }) => id),
        cancelled: cancelled.canceled,
        maker: wallet,
      };
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
    async orders() {
      const { OrderType, Side } = await import('@polymarket/clob-client-v2');
      const { createWalletClient, http } = await import('viem');
      const { privateKeyToAccount } = await import('viem/accounts');
      const account = privateKeyToAccount(KEY);
      const signer = createWalletClient({ account, transport: http(url.clob) });
      const creds = await new ClobClient({ host: url.clob, chain: 137, signer }).createOrDeriveApiKey();
      const trader = new ClobClient({ host: url.clob, chain: 137, signer, creds });
      const at = { tokenID: tokenId };
      const { BUY, SELL } = Side;
      const market = (order, type) =>
        trader.createAndPostMarketOrder({ ...at, ...order, orderType: type }, undefined, type);
      const rest = (order, type, postOnly) => trader.createAndPostOrder({ ...at, ...order }, undefined, type, postOnly);
      const bought = await market({ side: BUY, amount: 20 }, OrderType.FOK);
      const sold = await market({ side: SELL, amount: 15 }, OrderType.FAK);
      const resting = await rest({ side: BUY, size: 10, price: 0.05 }, OrderType.GTC, true);
      const expiration = Math.floor(Date.now() / 1_000) + 600;
      const dated = await rest({ side: BUY, size: 10, price: 0.04, expiration }, OrderType.GTD, false);
      const crossing = await rest({ side: BUY, size: 10, price: 0.95 }, OrderType.GTC, true);
      const open = await trader.getOpenOrders();
      const cancelled = await trader.cancelAll();
      return {
        statuses: [bought, sold, resting, dated].map(({ status }) => status),
        ids: [resting, dated].map(({ orderID }) => orderID),
        shares: Number(bought.takingAmount),
        refusal: crossing.error,
        open: open.map(({ id }) => id),
        cancelled: cancelled.canceled,
        maker: account.address,
      };
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
