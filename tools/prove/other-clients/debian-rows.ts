import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex } from 'viem';
import { systemRandom } from '#adapters/process/system-random';
import { freeLowPort } from '#local/free-low-port';
import { encodeHeader, signTransfer, toPaymentV2 } from '#test/support/payment-headers';
import { USDC } from '#test/support/signed-payments';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { holdVerdict, PRICE_MICROS, payWith, tradeUrl } from './rest-rows.js';
import { hold, type Row, type RowWorld, runWell } from './row.js';
import { stop } from './stop.js';
import { untilListening } from './until-listening.js';

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

/** A proxy of deploy/ in front of the service, at ports of this machine. */
interface Proxy {
  readonly url: string;
  readonly file: string;
  readonly args: readonly string[];
}

const deployed = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

async function nginxBefore({ service }: RowWorld): Promise<Proxy> {
  const dir = tempFolder('nginx');
  const port = await freeLowPort();
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const names = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  await runWell('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names]);
  const server = deployed('nginx.conf')
    .replace('127.0.0.1:4021', `127.0.0.1:${service.port}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/^\s*listen \[::\]:443.*$/m, '')
    // Debian's nginx is older than this form of it.
    .replace(/^\s*http2 on;$/m, '')
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`);
  const conf = join(dir, 'nginx.conf');
  const http = `http {\naccess_log off;\n${paths.join('\n')}\n${server}}`;
  writeFileSync(conf, `daemon off;\npid ${dir}/pid;\nerror_log ${dir}/error.log;\nevents {}\n${http}\n`);
  return { url: `https://127.0.0.1:${port}`, file: 'nginx', args: ['-c', conf, '-p', dir] };
}

async function caddyBefore({ service }: RowWorld): Promise<Proxy> {
  const dir = tempFolder('caddy');
  const port = await freeLowPort();
  const server = deployed('Caddyfile')
    .replace(/^preflight\.example/m, `http://127.0.0.1:${port}`)
    .replace('127.0.0.1:4021', `127.0.0.1:${service.port}`);
  const conf = join(dir, 'Caddyfile');
  writeFileSync(conf, `{\n\tadmin off\n}\n${server}`);
  return { url: `http://127.0.0.1:${port}`, file: 'caddy', args: ['run', '--config', conf, '--adapter', 'caddyfile'] };
}

const proxyRow = (
  client: string,
  program: readonly [string, ...string[]],
  file: string,
  start: (world: RowWorld) => Promise<Proxy>,
): Row => ({
  client,
  program,
  tries: `with ${file}: @x402/fetch pays a verdict through it`,
  paysMicros: PRICE_MICROS,
  async run(world) {
    const proxy = await start(world);
    const child = spawn(proxy.file, proxy.args, { stdio: 'ignore' });
    try {
      // Its certificate is nobody's.
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
      await untilOpen(proxy.url);
      const [answer] = await payWith('x402-fetch-v2', world, { url: tradeUrl(proxy.url, world) }, env);
      return holdVerdict(answer!);
    } finally {
      await stop(child);
    }
  },
});

/** Its certificate does not matter here: plain HTTP is answered by 400. */
const untilOpen = (url: string) => untilListening(url.replace('https:', 'http:'));

export const DEBIAN_ROWS: readonly Row[] = [
  ...SENDER_ROWS,
  proxyRow('nginx', ['nginx', '-v'], 'deploy/nginx.conf', nginxBefore),
  proxyRow('Caddy', ['caddy', 'version'], 'deploy/Caddyfile', caddyBefore),
];
