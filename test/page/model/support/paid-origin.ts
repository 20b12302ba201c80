import type { Fetch } from '#client/http/http';
import type { ClientSystem } from '#client/system';
import { BASE_NETWORK, USDC_ON_BASE } from '#domain/payment/payment';

export const ORIGIN = 'https://one.example';
const PAYEE = `0x${'11'.repeat(20)}`;
const START_MS = 1_784_000_000_000;

const LLMS = `Base address: \`${ORIGIN}\`
- Network: Base, \`${BASE_NETWORK}\`
- Asset: USDC, \`${USDC_ON_BASE}\`
- Payee (payTo): \`${PAYEE}\`

| Operation | USDC | Credits |
| --- | --- | --- |
| leaderboard | 0.02 | 1 |
| preflight_copy | 0.10 | 5 |

`;

/** A request that is paid, by its payment or by a token. */
export interface PaidRequest {
  readonly payment: string;
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly idempotencyKey: string | null;
}

/** A service as a page sees it: published terms, a demand, and whatever it answers to a payment. */
export function paidOrigin(answerPaid: (request: PaidRequest) => Response | Promise<Response>): Fetch {
  return async (url, init) => {
    const path = new URL(url).pathname;
    if (path === '/llms.txt') return new Response(LLMS);
    const headers = new Headers(init.headers);
    const payment = headers.get('payment-signature') ?? headers.get('authorization');
    if (payment === null) return demandFor(path);
    const idempotencyKey = headers.get('idempotency-key');
    return answerPaid({ payment, url: new URL(url), signal: init.signal!, idempotencyKey });
  };
}

function demandFor(path: string): Response {
  const accepted = {
    scheme: 'exact',
    network: BASE_NETWORK,
    asset: USDC_ON_BASE,
    payTo: PAYEE,
    amount: path.endsWith('/preflight_copy') ? '100000' : '20000',
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  };
  const terms = JSON.stringify({ x402Version: 2, resource: { url: ORIGIN + path }, accepts: [accepted] });
  return new Response(terms, { status: 402, headers: { 'payment-required': btoa(terms) } });
}

/** Time that passes only while somebody waits. */
export function waitedTime(): ClientSystem & { nowMs: number } {
  let drawn = 0;
  const system = {
    nowMs: START_MS,
    clock: { nowMs: () => system.nowMs, elapsedMs: () => system.nowMs },
    random: { next: () => 0.5, bytes: (count: number) => new Uint8Array(count).fill(++drawn) },
    timers: {
      async sleep(ms: number) {
        system.nowMs += Math.max(0, ms);
        await new Promise(setImmediate);
      },
      after: () => () => {},
    },
  };
  return system;
}
