// A walk over the book that ccxt watches, with the fee that it names. It has no such walk itself.
import ccxt from 'ccxt';

export async function open({ url, orders }) {
  const client = new ccxt.prediction.polymarket();
  Object.assign(client.urls.api, { gamma: url.gamma, clob: url.clob, data: url.data, ws: url.ws });
  await client.loadHttpProxyAgent();
  const books = new Map();
  const rates = new Map();
  for (const tokenId of new Set(orders.map((order) => order.tokenId))) {
    rates.set(tokenId, (await client.fetchTradingFee(tokenId)).taker);
    books.set(tokenId, await client.watchOrderBook(tokenId));
    watch(client, tokenId, books);
  }
  return ({ tokenId, usd }) => walk(books.get(tokenId).asks, usd, rates.get(tokenId));
}

async function watch(client, tokenId, books) {
  for (;;) books.set(tokenId, await client.watchOrderBook(tokenId));
}

function walk(asks, usd, rate) {
  let left = usd;
  let shares = 0;
  let limit = 0;
  for (let at = 0; at < asks.length && left > 0; at++) {
    const [price, size] = asks[at];
    const spent = Math.min(left, price * size);
    shares += spent / price;
    left -= spent;
    limit = price;
  }
  const average = (usd - left) / shares;
  return { limit, average, feeUsd: rate * (usd - left) };
}
