// The same by the venue's SDK for TypeScript.
import { createPublicClient, forkEnvironmentConfig } from '@polymarket/client';

export async function open({ url }) {
  // Node has a WebSocket of its own since version 22.
  globalThis.WebSocket ??= (await import('ws')).WebSocket;
  const environment = forkEnvironmentConfig({
    name: 'local',
    gamma: { rest: url.gamma },
    clob: { rest: url.clob, market: { ws: url.ws } },
    data: { rest: url.data },
  });
  const client = createPublicClient({ environment });
  return async ({ tokenId, usd }) => ({
    limit: Number(await client.estimateMarketPrice({ tokenId, side: 'BUY', amount: usd, orderType: 'FOK' })),
    feeUsd: null,
  });
}
