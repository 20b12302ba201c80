import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from '#test/support/paid-calls';
import { garbagePayment, NAMED_PAYERS, STRANGERS_WANT } from '#test/support/strangers';

/**
 * Opens connections without money from several addresses of loopback, and says at SIGTERM what they
 * were answered.
 */
const [, , shopText, connectionsText, everyMsText] = process.argv;
const shop = JSON.parse(shopText!) as Shop;
const connections = Number(connectionsText);
const intervalMs = Number(everyMsText);

/** An address may hold 200 connections. */
const CONNECTIONS_PER_ADDRESS = 150;
/**
 * Not contracts: for those the facilitator is asked, which runs in the process of the local
 * profile.
 */
const payers: readonly (keyof typeof NAMED_PAYERS)[] = ['wallet', 'newWallet'];
const statuses: Record<string, number> = {};

/** What costs the venue most, if anything is done for it. */
const call = STRANGERS_WANT[0]!;

async function connection(n: number): Promise<never> {
  const localAddress = `127.0.1.${1 + Math.floor(n / CONNECTIONS_PER_ADDRESS)}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  const payer = payers[n % payers.length]!;
  await sleep((n / connections) * intervalMs);
  for (;;) {
    const startedMs = performance.now();
    const status = await ask(agent, call.call(shop).url, garbagePayment(call, shop, NAMED_PAYERS[payer]));
    statuses[status] = (statuses[status] ?? 0) + 1;
    await sleep(Math.max(0, intervalMs - (performance.now() - startedMs)));
  }
}

function ask(agent: Agent, url: string, payment: string): Promise<number | string> {
  return new Promise((resolve) => {
    const asking = request(url, { agent, headers: { 'payment-signature': payment } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    asking.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
    asking.end();
  });
}

process.once('SIGTERM', () => {
  process.stdout.write(JSON.stringify(statuses), () => process.exit(0));
});
await Promise.all(Array.from({ length: connections }, (_, n) => connection(n)));
