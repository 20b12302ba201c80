import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PageWorld } from '#test/page/support/page-world';
import { moneyOf } from '#test/support/local-money';
import { startLoopbackServer } from '#test/support/loopback-server';
import { tempFolder } from '#test/support/temp-folder';

const PRICE_MICROS = 20_000n;
const WALLET_MICROS = 1_000_000n;

/** What somebody else's page does with the official client, and nothing of ours. */
const SHOP = `
  import { ExactEvmScheme } from '@x402/evm';
  import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
  import { privateKeyToAccount } from 'viem/accounts';

  globalThis.buy = async (url, key) => {
    const schemes = [{ network: 'eip155:8453', client: new ExactEvmScheme(privateKeyToAccount(key)) }];
    const answer = await wrapFetchWithPaymentFromConfig(fetch, { schemes })(url);
    return { status: answer.status, body: await answer.json(), receipt: answer.headers.get('PAYMENT-RESPONSE') };
  };
`;

interface Bought {
  readonly status: number;
  readonly body: { readonly verdict: string; readonly paid: { readonly transaction: string } };
  readonly receipt: string | null;
}

/** Pages that are not ours, with a client that is not ours, in a browser that asks before it sends. */
export function payingFromElsewhere(world: PageWorld): void {
  const EMPTY = '<!doctype html><title>shop</title>';

  async function buyOn(page: Page): Promise<void> {
    const money = moneyOf(world.local);
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    await money.fund(address, WALLET_MICROS);
    const resolveDir = process.cwd();
    const bundle = { bundle: true, format: 'iife', write: false, logLevel: 'error' } as const;
    const built = await build({ ...bundle, stdin: { contents: SHOP, resolveDir } });
    await page.addScriptTag({ content: built.outputFiles[0]!.text });
    const { url, exampleTokenId } = world.local.facts;
    const call = JSON.stringify([`${url}/api/preflight_trade?token_id=${exampleTokenId}&usd=10`, key]);
    const bought = (await page.evaluate(`buy(...${call})`)) as Bought;
    expect(bought.status).to.equal(200);
    expect(bought.body.paid.transaction).to.match(/^0x[0-9a-f]{64}$/);
    expect(bought.receipt, 'the receipt can be read').to.be.a('string');
    expect(WALLET_MICROS - (await money.balanceOf(address))).to.equal(PRICE_MICROS);
  }

  it('pays with the official client from a page of another origin', async () => {
    const shop = await startLoopbackServer();
    shop.answer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      return void response.end(EMPTY);
    });
    const page = await world.browser.newPage();
    try {
      await page.goto(shop.baseUrl);
      await buyOn(page);
    } finally {
      await page.close();
      await shop.close();
    }
  });

  it('pays with the official client from a file', async () => {
    const file = join(tempFolder('shop'), 'shop.html');
    writeFileSync(file, EMPTY);
    const page = await world.browser.newPage();
    try {
      await page.goto(pathToFileURL(file).href);
      await buyOn(page);
    } finally {
      await page.close();
    }
  });
}
