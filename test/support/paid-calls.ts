import { CREDIT_PACK_AMOUNT_MICROS, PRICES } from '#api/prices';
import type { Call } from './paying-clients.js';
import type { Demanded } from './payment-headers.js';
import { RATED_WALLET } from './rated-data-dir.js';
import { USDC } from './signed-payments.js';

/** Where a service is, who is paid there, and a market that it knows. */
export interface Shop {
  readonly url: string;
  readonly payee: string;
  readonly exampleSlug: string;
}

/** Something that is paid for. Calls of one `request` are the same request, whatever the method. */
export interface PaidCall {
  readonly name: string;
  readonly request: string;
  readonly path: string;
  readonly priceMicros: bigint;
  call(shop: Shop): Call;
}

const json = { 'content-type': 'application/json' };
const post = (body: object): RequestInit => ({ method: 'POST', headers: json, body: JSON.stringify(body) });

const TRADE = { path: '/api/preflight_trade', priceMicros: PRICES.preflight_trade.amountMicros };

/** The tools that take GET alone. */
const byGet = (tool: 'leaderboard' | 'red_list' | 'preflight_copy', query = ''): PaidCall => {
  const path = `/api/${tool}`;
  const { amountMicros: priceMicros } = PRICES[tool];
  return { name: tool, request: tool, path, priceMicros, call: ({ url }) => ({ url: url + path + query }) };
};

/**
 * Everything that is sold, once by each method; a new tool is one more row. The shop's board is
 * that of `publishSampleBoard`.
 */
export const PAID_CALLS: readonly PaidCall[] = [
  {
    name: 'preflight_trade by GET',
    request: 'trade of 250',
    ...TRADE,
    call: ({ url, exampleSlug }) => ({ url: `${url}${TRADE.path}?slug=${exampleSlug}&usd=250` }),
  },
  {
    name: 'preflight_trade by POST',
    request: 'trade of 20',
    ...TRADE,
    call: ({ url, exampleSlug }) => ({
      url: url + TRADE.path,
      init: post({ slug: exampleSlug, usd: 20, side: 'SELL' }),
    }),
  },
  byGet('leaderboard'),
  byGet('red_list'),
  byGet('preflight_copy', `?wallet=${RATED_WALLET}`),
  {
    name: 'the credit pack',
    request: 'credits',
    path: '/api/credits',
    priceMicros: CREDIT_PACK_AMOUNT_MICROS,
    call: ({ url }) => ({ url: `${url}/api/credits`, init: { method: 'POST' } }),
  },
];

/** Returns the terms of a call, as its 402 tells them. */
export function demandedBy(
  { path, priceMicros }: Pick<PaidCall, 'path' | 'priceMicros'>,
  { url, payee }: Shop,
): Demanded {
  return { url: url + path, amount: String(priceMicros), asset: USDC, payTo: payee };
}

/** Sends a call with these headers. */
export async function send({ url, init }: Call, headers: Readonly<Record<string, string>>): Promise<Sent> {
  const answer = await fetch(url, { ...init, headers: { ...init?.headers, ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** What came back. */
export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
