// Pays 0.02 USDC for one answer with the official x402 client, within limits of its own.
// Run `npm start` in another terminal, then: node examples/pay-per-call.mjs
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const local = JSON.parse(readFileSync(`${process.env.DATA_DIR || 'data'}/local.json`, 'utf8'));
const TRIES_MAX = 5;

/** Repeats what failed with a 5xx, payment and all: a new authorization would be charged again. */
async function patientFetch(input, init) {
  const request = new Request(input, init);
  for (let tries = 1; ; tries++) {
    const answer = await fetch(request.clone());
    if (answer.status < 500 || tries === TRIES_MAX) return answer;
    await sleep(Number(answer.headers.get('Retry-After') ?? 1) * 1_000);
  }
}

// Never more than 0.10 USD per call, and only to the payee that /llms.txt publishes.
const isPayee = (address) => address.toLowerCase() === local.payee.toLowerCase();
const client = new x402Client()
  .register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(local.demoWallet.privateKey)))
  .setSpendControls({ maxAmountPerPayment: '$0.10' })
  .onBeforePaymentCreation(async ({ selectedRequirements: { payTo } }) => {
    if (!isPayee(payTo)) return { abort: true, reason: `${payTo} is not the payee` };
  });

const payingFetch = wrapFetchWithPayment(patientFetch, client);
const answer = await payingFetch(`${local.url}/api/preflight_trade?slug=${local.exampleSlug}&usd=250`);
const body = await answer.json();
if (answer.status !== 200) throw new Error(`${answer.status} ${body.code}: ${body.error}`);
console.log(`${body.verdict}: ${body.reasons.join('; ')}`);
console.log(`paid ${body.paid.price_paid_usdc} USDC, ${body.paid.receipt}`);
console.log(decodePaymentResponseHeader(answer.headers.get('PAYMENT-RESPONSE')));
