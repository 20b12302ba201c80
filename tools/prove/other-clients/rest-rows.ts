import { PRICES } from '#api/prices';
import { drive, hold, type Row, type RowWorld } from './row.js';

/** Clients that pay by REST: how they are opened, and which header they pay with. */
export const PAYERS = [
  { client: '@x402/fetch', payer: 'x402-fetch-v2' },
  { client: '@x402/axios', payer: 'x402-axios-v2' },
  { client: 'x402-fetch', payer: 'x402-fetch' },
  { client: 'x402-axios', payer: 'x402-axios' },
  {
    client: 'thirdweb',
    payer: 'thirdweb',
    note: '; given the functions of the token, which it would fetch from the internet',
  },
] as const;

export const PRICE_MICROS = PRICES.preflight_trade.amountMicros;

/** What one paid request came to. */
export interface PaidAnswer {
  readonly status: number;
  readonly text: string;
  readonly receipt: string | null;
  readonly replayed: string | null;
}

export function tradeUrl(baseUrl: string, { service }: RowWorld): string {
  return `${baseUrl}/api/preflight_trade?slug=${service.exampleSlug}&usd=25`;
}

/** Pays with a client, and returns what it got each time. */
export function payWith(
  payer: string,
  { service, dir, payer: wallet }: RowWorld,
  request: { readonly url: string; readonly init?: object; readonly times?: number },
  env = {},
): Promise<readonly PaidAnswer[]> {
  const given = { payer, privateKey: wallet.key, rpc: service.chain.rpcUrl, init: { method: 'GET' }, times: 1 };
  return drive(dir, 'pay.mjs', { ...given, ...request }, env);
}

/** Holds an answer to be a verdict that was paid for. */
export function holdVerdict({ status, text, receipt }: PaidAnswer): string {
  hold(status === 200, `answered ${status}: ${text.slice(0, 200)}`);
  hold(JSON.parse(text).paid?.price_paid_usdc === '0.02', 'the answer does not say what was paid');
  hold(receipt !== null, 'there is no receipt');
  return `0.02 USDC, receipt in ${receipt!.toUpperCase()}`;
}

/** Every client by GET, by POST, and twice under one key. */
export const REST_ROWS: readonly Row[] = PAYERS.flatMap(({ client, payer, ...more }) => {
  const note = 'note' in more ? more.note : '';
  const paying = { client, npm: client, paysMicros: PRICE_MICROS };
  return [
    {
      ...paying,
      tries: 'pays a verdict by GET',
      async run(world: RowWorld) {
        const [answer] = await payWith(payer, world, { url: tradeUrl(world.service.url, world) });
        return holdVerdict(answer!) + note;
      },
    },
    {
      ...paying,
      tries: 'pays a verdict by POST',
      async run(world: RowWorld) {
        const { url, exampleSlug } = world.service;
        const body = JSON.stringify({ slug: exampleSlug, usd: 20, side: 'SELL' });
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        const [answer] = await payWith(payer, world, { url: `${url}/api/preflight_trade`, init });
        return holdVerdict(answer!) + note;
      },
    },
    {
      ...paying,
      tries: 'signs again under the same Idempotency-Key',
      async run(world: RowWorld) {
        const init = { method: 'GET', headers: { 'idempotency-key': `prove-clients-${payer}` } };
        const request = { url: tradeUrl(world.service.url, world), init, times: 2 };
        const [first, second] = await payWith(payer, world, request);
        holdVerdict(first!);
        hold(second!.status === 200 && second!.text === first!.text, 'the second answer is another one');
        hold(second!.replayed === 'true', 'the second answer does not say that it is a repeat');
        return `charged once, the same bytes${note}`;
      },
    },
  ];
});
