// The average price of an order by the code that pmxt's local server runs. The server itself cannot
// be sent to another venue: the address of the books is written into it. Here its HTTP client is,
// and it may ask more often than five times a second.
import { createRequire } from 'node:module';

const { PolymarketExchange } = createRequire(import.meta.url)('pmxt-core/dist/exchanges/polymarket/index.js');

export async function open({ url }) {
  const exchange = new PolymarketExchange();
  exchange.enableRateLimit = false;
  exchange.http.interceptors.request.use((config) => {
    config.url = config.url.replace('https://clob.polymarket.com', url.clob);
    return config;
  });
  return async ({ tokenId, shares }) => {
    const book = await exchange.fetchOrderBook(tokenId);
    const { price } = exchange.getExecutionPriceDetailed(book, 'buy', shares);
    return { averageOfShares: price, feeUsd: null };
  };
}
