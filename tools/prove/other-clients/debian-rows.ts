import { bytesToHex } from 'viem';
import { systemRandom } from '#adapters/process/system-random';
import { caddyBefore, type DeployedProxy, nginxBefore } from '#test/support/deployed-proxies';
import { encodeHeader, signTransfer, toPaymentV2 } from '#test/support/payment-headers';
import { USDC } from '#test/support/signed-payments';
import { holdVerdict, PRICE_MICROS, payWith, tradeUrl } from './rest-rows.js';
import { hold, type Row, type RowWorld, runWell } from './row.js';

const OPEN_S = 100;

/** A payment that was signed elsewhere, as the value of its header. */
async function paymentHeader({ service, payer }: RowWorld): Promise<string> {
  const amount = String(PRICE_MICROS);
  const signed = await signTransfer(payer.account, {
    to: service.payee,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1e3) + OPEN_S),
    nonce: bytesToHex(systemRandom.bytes(32)),
  });
  const url = `${service.url}/api/preflight_trade`;
  return encodeHeader(toPaymentV2(signed, { url, amount, asset: USDC, payTo: service.payee }));
}

const PYTHON = `import json, requests, sys
answer = requests.get(sys.argv[1], headers=json.loads(sys.argv[2]))
print(answer.text)`;

/** How each sends a GET with headers and prints the body of whatever is answered. */
const SENDERS = [
  {
    client: 'curl',
    program: ['curl', '--version'],
    args: (url: string, headers: readonly (readonly [string, string])[]) => [
      '--silent',
      ...headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      url,
    ],
  },
  {
    client: 'wget',
    program: ['wget', '--version'],
    args: (url: string, headers: readonly (readonly [string, string])[]) => [
      '--quiet',
      '--content-on-error',
      '--output-document=-',
      ...headers.map(([name, value]) => `--header=${name}: ${value}`),
      url,
    ],
  },
  {
    client: 'httpie',
    program: ['http', '--version'],
    args: (url: string, headers: readonly (readonly [string, string])[]) => [
      '--ignore-stdin',
      '--body',
      url,
      ...headers.map(([name, value]) => `${name}:${value}`),
    ],
  },
  {
    client: 'python3-requests',
    program: ['/usr/bin/python3', '-c', 'import requests; print(requests.__version__)'],
    args: (url: string, headers: readonly (readonly [string, string])[]) => [
      '-c',
      PYTHON,
      url,
      JSON.stringify(Object.fromEntries(headers)),
    ],
  },
] as const;

const SENDER_ROWS: readonly Row[] = SENDERS.map(({ client, program, args }) => ({
  client,
  program,
  tries: 'gets a free example and the terms, pays a verdict with a given header',
  paysMicros: PRICE_MICROS,
  async run(world) {
    const url = tradeUrl(world.service.url, world);
    const ask = async (to: string, ...headers: readonly (readonly [string, string])[]) => {
      // wget ends with 8 where the answer is an error, which a 402 is.
      const printed = await runWell('sh', [
        '-c',
        '"$@"; test $? = 0 -o $? = 8',
        'sh',
        program[0],
        ...args(to, headers),
      ]);
      return JSON.parse(printed);
    };
    hold((await ask(`${world.service.url}/api/preflight_trade?sandbox=1`)).sandbox === true, 'there is no example');
    hold((await ask(url)).accepts.length === 1, 'there are no terms');
    const { paid } = await ask(url, ['PAYMENT-SIGNATURE', await paymentHeader(world)]);
    hold(paid?.price_paid_usdc === '0.02', 'nothing was paid');
    return '0.02 USDC';
  },
}));

const proxyRow = (
  client: string,
  program: readonly [string, ...string[]],
  file: string,
  before: (port: number) => Promise<DeployedProxy>,
): Row => ({
  client,
  program,
  tries: `with ${file}: @x402/fetch pays a verdict through it`,
  paysMicros: PRICE_MICROS,
  async run(world) {
    const proxy = await before(world.service.port);
    try {
      // Its certificate is nobody's.
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
      const [answer] = await payWith('x402-fetch-v2', world, { url: tradeUrl(proxy.url, world) }, env);
      return holdVerdict(answer!);
    } finally {
      await proxy.stop();
    }
  },
});

export const DEBIAN_ROWS: readonly Row[] = [
  ...SENDER_ROWS,
  proxyRow('nginx', ['nginx', '-v'], 'deploy/nginx.conf', nginxBefore),
  proxyRow('Caddy', ['caddy', 'version'], 'deploy/Caddyfile', caddyBefore),
];
