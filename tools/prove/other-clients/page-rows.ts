import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { CHROMIUM, launchChromium } from '#test/page/support/chromium';
import { startLoopbackServer } from '#test/support/loopback-server';
import { holdVerdict, PAYERS, type PaidAnswer, PRICE_MICROS, tradeUrl } from './rest-rows.js';
import type { Row, RowWorld } from './row.js';

/** One of the payers as a script of a page, which is given to it as `paying`. */
async function bundled(dir: string, payer: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(dir, `payers/${payer}.mjs`)],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'paying',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

/** Pays in a page of another origin than the service's. */
async function payInPage(payer: string, world: RowWorld): Promise<PaidAnswer> {
  const script = await bundled(world.dir, payer);
  const site = await startLoopbackServer();
  site.answer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(site.baseUrl.replace('127.0.0.1', 'localhost'));
    await page.addScriptTag({ content: script });
    const { service, payer: wallet } = world;
    return await page.evaluate(
      async ({ url, privateKey, rpc }) => {
        const { paying } = globalThis as unknown as { paying: Payers };
        const pay = await paying.open({ privateKey, rpc });
        return pay(url, { method: 'GET' });
      },
      { url: tradeUrl(service.url, world), privateKey: wallet.key, rpc: service.chain.rpcUrl },
    );
  } finally {
    await browser.close();
    await site.close();
  }
}

interface Payers {
  open(wallet: object): Promise<(url: string, init: object) => Promise<PaidAnswer>>;
}

/** Every client in Chromium, from another origin. */
export const PAGE_ROWS: readonly Row[] = PAYERS.map(({ client, payer }) => ({
  client,
  npm: client,
  tries: 'pays a verdict in Chromium, from a page of another origin',
  paysMicros: PRICE_MICROS,
  async run(world) {
    if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}`);
    return holdVerdict(await payInPage(payer, world));
  },
}));
