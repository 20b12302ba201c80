// Checks an order before it is sent, with a token from a promo code.
// Run `npm start` in another terminal, then: node examples/check-order.mjs
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const local = JSON.parse(readFileSync(`${process.env.DATA_DIR || 'data'}/local.json`, 'utf8'));

/** Posts JSON and returns the body of the answer. An error is JSON too and says what to do next. */
async function post(path, body, headers = {}) {
  const answer = await fetch(local.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (answer.status !== 200) throw new Error(`${answer.status} ${json.code}: ${json.error}`);
  return json;
}

// The wallet is an identity only, so any address does here. The token is shown once: a real client
// stores it.
const wallet = `0x${randomBytes(20).toString('hex')}`;
const { token, balance } = await post('/api/redeem', { code: local.promoCode, wallet });
console.log(`${balance} credits for ${wallet}`);

// With an Idempotency-Key the call can be repeated after a timeout: same answer, one charge.
const order = { slug: local.exampleSlug, side: 'BUY', usd: 5_000 };
const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID() };
const { verdict, reasons, numbers, paid } = await post('/api/preflight_trade', order, headers);

console.log(`${verdict} for ${order.usd} USD`);
for (const reason of reasons) console.log(`- ${reason}`);
console.log(`largest size that is still OK: ${numbers.safe_size_usd} USD`);
console.log(`fee ${numbers.taker_fee_usd} USD, average price ${numbers.expected_vwap}`);
console.log(`${paid.credits_used} credit spent, ${paid.credits_remaining} left`);
