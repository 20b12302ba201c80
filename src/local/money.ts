import { join } from 'node:path';
import type { LocalConfig } from '#config/config';
import type { Log } from '#ports/log';
import { openChainKeys } from './chain/chain-keys.js';
import { LocalChain, startLocalChain } from './chain/local-chain.js';
import { type LocalFacilitator, startLocalFacilitator } from './chain/local-facilitator.js';
import type { LocalKeys } from './keys.js';

/** 100 USDC. */
const DEMO_WALLET_MICROS = 100_000_000n;

/** Where the local profile settles payments, or why it cannot. */
export interface Money {
  readonly urls: Partial<Pick<LocalConfig, 'facilitatorUrls' | 'baseRpcUrls' | 'explorerUrl'>>;
  readonly rpcUrl: string | null;
  readonly facilitator: Pick<LocalFacilitator, 'url' | 'controlUrl'> | null;
  /** One sentence, where no chain runs here: then credits are the only lane. */
  readonly unavailable: string | null;
  stop(): Promise<void>;
}

export interface MoneyOptions {
  readonly config: LocalConfig;
  /** Path of an anvil to use instead of the installed one. */
  readonly anvilBin: string | null;
  /** Is told what is being done, in a few words each time. */
  readonly print: (what: string) => void;
}

/**
 * Starts a chain and a facilitator, unless the environment names others, and gives the demo wallet
 * its first money.
 */
export async function startMoney({ config, anvilBin, print }: MoneyOptions, keys: LocalKeys, log: Log): Promise<Money> {
  const without = { rpcUrl: null, facilitator: null, stop: async () => {} };
  if (config.facilitatorUrls.length > 0) return { ...without, urls: {}, unavailable: null };
  print('starting the local chain');
  const chainKeys = openChainKeys(join(config.dataDir, 'chain-keys.json'));
  const chain = await startLocalChain({ dataDir: config.dataDir, keys: chainKeys, anvilBin, log });
  if (!(chain instanceof LocalChain)) return { ...without, urls: {}, unavailable: chain.unavailable };
  const { address } = keys.demoWallet;
  if ((await chain.balanceOf(address)) === 0n) await chain.mint(address, DEMO_WALLET_MICROS);
  const facilitator = await startLocalFacilitator({ chain });
  return {
    urls: { facilitatorUrls: [facilitator.url], baseRpcUrls: [chain.rpcUrl], explorerUrl: facilitator.url },
    rpcUrl: chain.rpcUrl,
    facilitator: { url: facilitator.url, controlUrl: facilitator.controlUrl },
    unavailable: null,
    async stop() {
      await facilitator.stop();
      await chain.stop();
    },
  };
}
