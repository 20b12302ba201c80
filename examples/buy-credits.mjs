// Buys 500 credits for 5 USDC with the official x402 client, and reads the balance with the token.
// Run `npm start` in another terminal, then: node examples/buy-credits.mjs
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const local = JSON.parse(readFileSync(`${process.env.DATA_DIR || 'data'}/local.json`, 'utf8'));
const account = privateKeyToAccount(local.demoWallet.privateKey);

// The client pays at most a dollar at once unless its limit is raised, and the pack costs five.
const payingFetch = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
  spendControls: { maxAmountPerPayment: '$5' },
});

// A settled authorization is public on the chain. The key is not: who repeats the purchase with it
// gets the token again.
const headers = { 'Idempotency-Key': randomUUID() };
const bought = await payingFetch(`${local.url}/api/credits`, { method: 'POST', headers });
const pack = await bought.json();
if (bought.status !== 200) throw new Error(`${bought.status} ${pack.code}: ${pack.error}`);
console.log(`${pack.credits_added} credits for ${pack.wallet}, until ${pack.expires}`);
console.log(`paid ${pack.paid.price_paid_usdc} USDC, ${pack.paid.receipt}`);

// The token is a secret: store it, and send it with each call.
const held = await fetch(`${local.url}/api/credits`, { headers: { Authorization: `Bearer ${pack.token}` } });
const { balance, costs } = await held.json();
console.log(`balance ${balance}; an order check costs ${costs.preflight_trade}, a wallet ${costs.preflight_copy}`);
