// Lists the tools of the MCP server, tries one for free, and calls it with a token.
// Run `npm start` in another terminal, then: node examples/mcp-client.mjs
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const local = JSON.parse(readFileSync(`${process.env.DATA_DIR || 'data'}/local.json`, 'utf8'));

const redeemed = await fetch(`${local.url}/api/redeem`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ code: local.promoCode, wallet: `0x${randomBytes(20).toString('hex')}` }),
});
const { token } = await redeemed.json();

const client = new Client({ name: 'preflight-example', version: '1.0.0' });
const headers = { Authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(`${local.url}/mcp`), { requestInit: { headers } }));

const { tools } = await client.listTools();
for (const { name, title } of tools) console.log(`${name}: ${title}`);

// `sandbox` gives a free example of the same shape; without it the call is live and costs a credit.
const order = { slug: local.exampleSlug, side: 'BUY', usd: 250 };
for (const args of [{ sandbox: true }, order]) {
  const { isError, structuredContent: answer } = await client.callTool({ name: 'preflight_trade', arguments: args });
  if (isError) throw new Error(`${answer.code}: ${answer.error}`);
  console.log(args.sandbox ? 'an example:' : 'live:', answer.verdict, answer.reasons, answer.paid ?? 'free');
}
await client.close();
