import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * A seller built of the stock middleware as its README shows, as a process of its own: `node
 * stock-server.js DIR`, where DIR has the packages, and FACILITATOR_URL, PAYEE_ADDRESS and
 * USDC_ADDRESS in the environment.
 */
const load = createRequire(join(process.argv[2]!, 'package.json'));
const express = load('express');
const { paymentMiddleware, x402ResourceServer } = load('@x402/express');
const { ExactEvmScheme } = load('@x402/evm/exact/server');
const { HTTPFacilitatorClient } = load('@x402/core/server');

const { FACILITATOR_URL: url, PAYEE_ADDRESS: payTo, USDC_ADDRESS: asset } = process.env;
/** Its default of 90 s would only make the run longer: this is what preflight waits. */
const TIMEOUT_MS = 12_000;

const terms = (amount: string) => ({
  accepts: {
    scheme: 'exact',
    network: 'eip155:8453',
    price: { amount, asset, extra: { name: 'USD Coin', version: '2' } },
    payTo,
    maxTimeoutSeconds: 120,
  },
  description: 'something that is worth it',
  mimeType: 'application/json',
});

const app = express();
const facilitator = new HTTPFacilitatorClient({ url, timeoutMs: TIMEOUT_MS });
const server = new x402ResourceServer(facilitator).register('eip155:8453', new ExactEvmScheme());
app.use(
  paymentMiddleware({ 'GET /api/preflight_trade': terms('20000'), 'POST /api/credits': terms('5000000') }, server),
);
let runs = 0;
const answer = (_: unknown, response: { json(body: object): void }) => {
  runs += 1;
  response.json({ answer: 'the goods', run: runs });
};
app.get('/api/preflight_trade', answer);
app.post('/api/credits', answer);
const listening = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (listening.address() as AddressInfo).port }));
});
