// The same by the second version of the client, for the venue's second protocol.
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';

export async function open({ url }) {
  const client = new ClobClient({ host: url.clob, chain: 137, throwOnError: true });
  return async ({ tokenId, usd }) => ({
    limit: await client.calculateMarketPrice(tokenId, Side.BUY, usd, OrderType.FOK),
    feeUsd: null,
  });
}
