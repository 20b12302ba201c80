import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { type ClusterFacts, checkInstance, DATA_DIR_USUAL, readClusterFacts } from '../pay-facts.js';

const MCP_CALLS = 6;
const RedeemedSchema = z.object({ token: z.string() });
const CalledSchema = z.object({
  result: z.object({
    structuredContent: z.object({ verdict: z.string(), paid: z.object({ credits_remaining: z.int() }) }),
  }),
});

/**
 * `npm run cluster:demo`: shows on a running cluster that it does not matter which replica is
 * asked, nor that one dies.
 */
async function main(): Promise<void> {
  const facts = readClusterFacts(process.env.DATA_DIR || DATA_DIR_USUAL);
  await checkInstance(facts);
  await spreadCalls(facts);
  if (facts.rpcUrl === null) throw new Error('the cluster runs without a chain, so nothing can be paid here');
  await payAndKill(facts);
}

/** Calls a tool over MCP, one call after the other, with credits of the local code. */
async function spreadCalls({ url, promoCode, exampleSlug }: ClusterFacts): Promise<void> {
  const wallet = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`;
  const redeemed = await post(`${url}/api/redeem`, { code: promoCode, wallet });
  const { token } = RedeemedSchema.parse(await redeemed.json());
  for (let id = 1; id <= MCP_CALLS; id++) {
    const params = { name: 'preflight_trade', arguments: { slug: exampleSlug, usd: id } };
    const answer = await post(`${url}/mcp`, { jsonrpc: '2.0', id, method: 'tools/call', params }, token);
    const { verdict, paid } = CalledSchema.parse(await answer.json()).result.structuredContent;
    console.log(`MCP call ${id}: replica ${servedBy(answer)}, ${verdict}, ${paid.credits_remaining} credits left`);
  }
}

/**
 * Pays at the first replica as any x402 client would, ends it with SIGKILL, and sends the same
 * payment to the others.
 */
async function payAndKill({ demoWallet, exampleSlug, exampleOutcome, replicas }: ClusterFacts): Promise<void> {
  const [first, ...others] = replicas;
  const path = `/api/preflight_trade?slug=${exampleSlug}&outcome=${encodeURIComponent(exampleOutcome)}&usd=250`;
  let payment = '';
  const watched: typeof fetch = (input, init) => {
    const headers = input instanceof Request ? input.headers : new Headers(init?.headers);
    payment = headers.get('payment-signature') ?? payment;
    return fetch(input, init);
  };
  const client = new ExactEvmScheme(privateKeyToAccount(demoWallet.privateKey as Hex));
  const pay = wrapFetchWithPaymentFromConfig(watched, { schemes: [{ network: 'eip155:8453', client }] });
  const answer = await pay(first!.url + path);
  const bytes = await answer.text();
  const { transaction } = decodePaymentResponseHeader(answer.headers.get('payment-response')!);
  console.log(`paid at replica ${first!.id}: ${answer.status}, ${bytes.length} bytes, transaction ${transaction}`);
  process.kill(first!.pid, 'SIGKILL');
  console.log(`kill -9 ${first!.pid}: replica ${first!.id} is gone`);
  for (const { id, url } of others) {
    const again = await fetch(url + path, { headers: { 'payment-signature': payment } });
    const same = (await again.text()) === bytes ? 'the same bytes' : 'OTHER BYTES';
    console.log(`the same payment at replica ${id}: ${again.status}, ${same}`);
  }
}

function post(url: string, body: object, token?: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function servedBy(answer: Response): string {
  return answer.headers.get('x-served-by') ?? 'unknown';
}

main().catch((error: Error) => {
  console.error(`${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}`);
  process.exit(1);
});
