// Asks whether a wallet is worth copying, and waits while its profile is computed (202 QUEUED is
// free). Run `npm start` in another terminal, then: node examples/check-wallet.mjs [0x…]
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const local = JSON.parse(readFileSync(`${process.env.DATA_DIR || 'data'}/local.json`, 'utf8'));
const wallet = process.argv[2] ?? local.exampleWallets.unseen;

const redeemed = await fetch(`${local.url}/api/redeem`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ code: local.promoCode, wallet: `0x${randomBytes(20).toString('hex')}` }),
});
const { token } = await redeemed.json();

/** Asks until there is a profile; each 202 says after how many seconds to ask again. */
async function profileOf(address) {
  for (;;) {
    const answer = await fetch(`${local.url}/api/preflight_copy?wallet=${address}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const body = await answer.json();
    if (answer.status === 200) return body;
    if (answer.status !== 202) throw new Error(`${answer.status} ${body.code}: ${body.error}`);
    console.log(`${body.verdict}, asking again in ${body.retry_after_seconds} s`);
    await sleep(body.retry_after_seconds * 1_000);
  }
}

const { verdict, reason_code: code, reasons, next_refresh_at: nextAt, paid } = await profileOf(wallet);
console.log(`${verdict} (${code}) for ${wallet}`);
for (const reason of reasons) console.log(`- ${reason}`);
if (nextAt !== undefined) console.log(`this answer cannot change before ${nextAt}: do not buy it again until then`);
if (paid !== undefined) console.log(`${paid.credits_used} credits spent, ${paid.credits_remaining} left`);
