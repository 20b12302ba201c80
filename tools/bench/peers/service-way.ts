import { Pool } from 'undici';
import type { OrderVerdict } from '#api/order-verdict';
import type { Check, WayOptions } from './way.js';

const CONNECTIONS_MAX = 64;

/** The service over REST, each answer paid from credits, with the plan that names the price to send. */
export async function open({ service }: WayOptions): Promise<Check> {
  const { url, token } = service!;
  const pool = new Pool(url, { connections: CONNECTIONS_MAX, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}` };
  return async ({ tokenId, usd }) => {
    const path = `/api/preflight_trade?token_id=${tokenId}&side=BUY&usd=${usd}&plan=1`;
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`the service answered ${statusCode}: ${text}`);
    const { verdict, reason_codes, numbers, plan } = JSON.parse(text) as OrderVerdict;
    return {
      toSend: plan ? Number(plan.worst_price) : undefined,
      average: numbers.expected_vwap,
      feeUsd: numbers.taker_fee_usd,
      isBelowMinimum: reason_codes.includes('BELOW_MINIMUM_NOTIONAL'),
      verdict,
    };
  };
}
