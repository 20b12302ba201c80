import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { type Checkout, openCheckout } from '#tools/golden/checkout';
import { startGoldenMoney } from '#tools/golden/money';
import { startGoldenVenue } from '#tools/golden/venue';
import { type PassedFile, passedFiles, type ScriptCoverage } from './called-functions.js';

const REQUESTS = 40;
const WARM_UPS = 200;
const COVERAGE = new URL('./coverage-on-signal.js', import.meta.url).href;
const CODE = 'ORDER-PATH';
const LIVE = {
  PREFLIGHT_PROFILE: 'live',
  HOST: '127.0.0.1',
  PORT: '0',
  BASE_URL: 'https://preflight.example',
  SUPPORT_EMAIL: 'support@preflight.example',
};
const WALLET = `0x${'11'.repeat(20)}`;

/**
 * Prints through how many files of a checkout an order passes that is paid by credits, and how many
 * of them have a single function on its way.
 */
async function main(): Promise<void> {
  const { checkout: folder, list } = new Command('order-path')
    .option('--checkout <dir>', 'a checkout with a built dist/', '.')
    .option('--list', 'name the files and their functions')
    .parse()
    .opts<{ checkout: string; list?: true }>();
  const scripts = await coverageOf(openCheckout(folder));
  const passed = passedFiles(scripts, pathToFileURL(join(resolve(folder), 'dist/')).href, REQUESTS);
  // The clock that stands still is this tool's own.
  const files = passed.filter(({ path }) => !path.startsWith('tools/'));
  const single = files.filter(({ functions }) => functions.length === 1);
  for (const file of list ? files : single) console.log(lineOf(file));
  console.log(`an order passes ${files.length} files; ${single.length} of them with a single function`);
}

/** Runs the service on the golden venue, and returns what V8 counted during the requests. */
async function coverageOf(checkout: Checkout): Promise<readonly ScriptCoverage[]> {
  const [venue, money] = [await startGoldenVenue(), await startGoldenMoney()];
  const file = join(checkout.dataDir, 'coverage.json');
  try {
    const promo = ['--code', CODE, '--credits', String(REQUESTS + WARM_UPS), '--wallets', '1', '--days', '30'];
    await checkout.preflight('admin', 'promo', 'create', ...promo);
    const coverage = { COVERAGE_FILE: file, NODE_OPTIONS: `--import=${COVERAGE}`, WALLET_JOBS: 'off' };
    const port = await checkout.start({ ...LIVE, ...venue.env, ...money.env, ...coverage });
    const token = await redeem(port);
    await order(port, token, WARM_UPS);
    await taken(checkout, file);
    await order(port, token, REQUESTS);
    return await taken(checkout, file);
  } finally {
    await checkout.stop();
    venue.close();
    money.close();
  }
}

async function redeem(port: number): Promise<string> {
  const body = JSON.stringify({ code: CODE, wallet: WALLET });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/api/redeem`, { method: 'POST', headers, body });
  return ((await answer.json()) as { token: string }).token;
}

/** Different orders on one connection, as an agent sends them. */
async function order(port: number, token: string, times: number): Promise<void> {
  for (let usd = 1; usd <= times; usd++) {
    const url = `http://127.0.0.1:${port}/api/preflight_trade?slug=golden-simple&outcome=Yes&usd=${usd}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status} ${text}`);
  }
}

/** Returns what was counted since the last time. */
async function taken(checkout: Checkout, file: string): Promise<readonly ScriptCoverage[]> {
  rmSync(file, { force: true });
  checkout.signal('SIGUSR2');
  while (!existsSync(file)) await sleep(10);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly ScriptCoverage[];
}

function lineOf({ path, functions }: PassedFile): string {
  return `${String(functions.length).padStart(3)}  ${path}: ${functions.join(', ')}`;
}

await main();
