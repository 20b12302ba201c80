import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '#test/support/source-tree';
import { type InstalledClients, installPackages, versionOf } from '../../prove/other-clients/install.js';

/** One way to check an order. */
export interface Way {
  readonly name: string;
  /** The module that does it, as an address; or why it cannot be had. */
  readonly module: { readonly url: string } | { readonly why: string };
}

const SOURCE = join(ROOT, 'tools/bench/peers/package');

const OTHERS = [
  { program: 'clob-client.mjs', npm: '@polymarket/clob-client', does: 'calculateMarketPrice' },
  { program: 'clob-client-v2.mjs', npm: '@polymarket/clob-client-v2', does: 'calculateMarketPrice' },
  { program: 'client.mjs', npm: '@polymarket/client', does: 'estimateMarketPrice' },
  { program: 'pmxt.mjs', npm: 'pmxt-core', does: 'getExecutionPriceDetailed' },
  { program: 'ccxt.mjs', npm: 'ccxt', does: 'watchOrderBook and a walk' },
] as const;

/** Of the ways of the official clients, by REST. */
export const OFFICIAL_COUNT = 3;
export const SERVICE = 'this service over REST, from credits';
export const EMBEDDED = 'assess of our client, embedded';

/**
 * Installs the clients of others at the versions of the lock, and returns all ways, ours last.
 * BENCH_PEERS_DIR names a folder where they are already.
 */
export async function allWays(): Promise<readonly Way[]> {
  const installed = await installPackages(SOURCE, process.env.BENCH_PEERS_DIR);
  return [
    ...OTHERS.map((other) => wayOf(other, installed)),
    { name: SERVICE, module: { url: new URL('./service-way.js', import.meta.url).href } },
    { name: EMBEDDED, module: { url: new URL('./embedded-way.js', import.meta.url).href } },
  ];
}

function wayOf({ program, npm, does }: (typeof OTHERS)[number], installed: InstalledClients): Way {
  if (installed.kind === 'unavailable') return { name: `${npm}: ${does}`, module: installed };
  const url = pathToFileURL(join(installed.dir, program)).href;
  return { name: `${npm} ${versionOf(installed.dir, npm)}: ${does}`, module: { url } };
}
