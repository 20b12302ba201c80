// The price of a market order by the venue's first official client: a book by REST, and its walk.
import { ClobClient, OrderType, Side } from '@polymarket/clob-client';

export async function open({ url }) {
  const client = new ClobClient(url.clob, 137);
  return async ({ tokenId, usd }) => ({
    limit: await client.calculateMarketPrice(tokenId, Side.BUY, usd, OrderType.FOK),
    feeUsd: null,
  });
}
