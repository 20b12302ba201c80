import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { bytesToHex } from 'viem';
import { systemRandom } from '#adapters/process/system-random';
import { encodeHeader, type PaymentHeader, signTransfer, toPaymentV1 } from './payment-headers.js';
import { repeatingFetch } from './repeating-fetch.js';
import type { Account } from './signed-payments.js';

/** A request to pay for, as fetch takes it. */
export interface Call {
  readonly url: string;
  readonly init?: RequestInit;
}

/** What a client got for its payment, and the header that it paid with. */
export interface Bought {
  readonly answer: Response;
  readonly text: string;
  readonly sent: PaymentHeader;
}

/** Somebody who sees a 402, signs and pays. */
export interface PayingClient {
  readonly name: string;
  readonly version: 1 | 2;
  buy(account: Account, call: Call): Promise<Bought>;
}

/**
 * The official client pays at most 1 USD at once unless it is told otherwise; the credit pack
 * costs 5.
 */
const spendControls = { maxAmountPerPayment: '$5' } as const;

/** Somebody who does not know version 2 does not see its header. */
const fetchAsV1: typeof fetch = async (input, init) => {
  const answer = await repeatingFetch(input, init);
  const headers = new Headers(answer.headers);
  headers.delete('PAYMENT-REQUIRED');
  return new Response(await answer.text(), { status: answer.status, headers });
};

/**
 * Pays with the official client on top of the given fetch, and remembers the payment header that it
 * sent.
 */
async function buyOfficially(
  below: typeof fetch,
  config: Pick<Parameters<typeof wrapFetchWithPaymentFromConfig>[1], 'schemes'>,
  { url, init }: Call,
): Promise<Bought> {
  let sent: PaymentHeader | null = null;
  const watched: typeof fetch = (input, options) => {
    const headers = input instanceof Request ? input.headers : new Headers(options?.headers);
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT'] as const) {
      const value = headers.get(name);
      if (value !== null) sent = { name, value };
    }
    return below(input, options);
  };
  const answer = await wrapFetchWithPaymentFromConfig(watched, { ...config, spendControls })(url, init);
  if (sent === null) throw new Error(`nothing was paid: ${answer.status} ${await answer.text()}`);
  return { answer, text: await answer.text(), sent };
}

interface TermsV1 {
  readonly accepts: readonly [{ maxAmountRequired: string; payTo: `0x${string}`; maxTimeoutSeconds: number }];
}

/** A client of a dozen lines: it reads the JSON body of the 402 and nothing else. */
async function buyFromBody(account: Account, { url, init }: Call): Promise<Bought> {
  const demand = await fetch(url, init);
  const [terms] = ((await demand.json()) as TermsV1).accepts;
  const nowS = Math.floor(Date.now() / 1e3);
  const signed = await signTransfer(account, {
    to: terms.payTo,
    value: terms.maxAmountRequired,
    validAfter: String(nowS - 600),
    validBefore: String(nowS + terms.maxTimeoutSeconds),
    nonce: bytesToHex(systemRandom.bytes(32)),
  });
  const sent: PaymentHeader = { name: 'X-PAYMENT', value: encodeHeader(toPaymentV1(signed)) };
  const answer = await repeatingFetch(url, { ...init, headers: { ...init?.headers, [sent.name]: sent.value } });
  return { answer, text: await answer.text(), sent };
}

/** Pays with the official client, and takes its first answer for what it is. */
export function buyOnce(account: Account, call: Call): Promise<Bought> {
  return buyOver(fetch, account, call);
}

function buyOver(below: typeof fetch, account: Account, call: Call): Promise<Bought> {
  return buyOfficially(below, { schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }] }, call);
}

/** The clients that exist. */
export const PAYING_CLIENTS: readonly PayingClient[] = [
  {
    name: 'the official client',
    version: 2,
    buy: (account, call) => buyOver(repeatingFetch, account, call),
  },
  {
    name: 'the official v1 scheme',
    version: 1,
    buy: (account, call) => {
      // Names of networks are of version 1; the type knows those of version 2.
      const network = 'base' as 'eip155:8453';
      const client = new ExactEvmSchemeV1(account);
      return buyOfficially(fetchAsV1, { schemes: [{ network, client, x402Version: 1 }] }, call);
    },
  },
  { name: 'a client that reads only the body', version: 1, buy: buyFromBody },
];
