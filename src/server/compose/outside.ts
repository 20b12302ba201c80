import { createBaseChain } from '#adapters/chain/base-chain';
import { CDP_HOST, createCdpAuth } from '#adapters/facilitator/cdp-auth';
import { createFacilitator } from '#adapters/facilitator/facilitator';
import { BOOK_BUDGET, CATALOG_BUDGET, createHttpJson, FEE_BUDGET } from '#adapters/http-client/json';
import { createClobBooks } from '#adapters/polymarket/clob';
import { createGammaCatalog } from '#adapters/polymarket/gamma';
import type { Config } from '#config/config';
import type { Log } from '#ports/log';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';
import { CLOB_PROBES, GAMMA_PROBES } from './tape.js';

export type Outside = ReturnType<typeof openOutside>;

interface OutsideDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log?: Pick<Log, 'warn'>;
}

/**
 * Returns the ways to the venue's markets and books, to facilitators and the chain. Nothing is
 * asked yet.
 */
export function openOutside(
  { venue, cdpKey, facilitatorUrls, baseRpcUrls }: Config,
  { clock, timers, random, log }: OutsideDeps,
) {
  const clob = { clock, baseUrl: venue.clobUrl, probePaths: CLOB_PROBES };
  const gamma = createHttpJson({
    clock,
    upstream: 'gamma',
    baseUrl: venue.gammaUrl,
    budget: CATALOG_BUDGET,
    probePaths: GAMMA_PROBES,
  });
  const clobMarkets = createHttpJson({ ...clob, upstream: 'clob-markets', budget: FEE_BUDGET });
  const cdpAuth = cdpKey === null ? null : createCdpAuth(cdpKey, { clock, random });
  const names = uniqueNames(facilitatorUrls);
  const facilitators = facilitatorUrls.map((baseUrl, index) => {
    const name = names[index]!;
    const authorize = cdpAuth !== null && new URL(baseUrl).host === CDP_HOST ? { authorize: cdpAuth } : {};
    return createFacilitator({ name, baseUrl, clock, timers, ...authorize, ...(log !== undefined && { log }) });
  });
  return {
    gamma,
    clobMarkets,
    clobBooks: createClobBooks({ clob: createHttpJson({ ...clob, upstream: 'clob-books', budget: BOOK_BUDGET }) }),
    catalog: createGammaCatalog({ gamma, clob: clobMarkets }),
    facilitators,
    chain: createBaseChain({ rpcUrls: baseRpcUrls, clock, timers }),
  };
}

/** The host of each, and which one of it where it has several: a path may hold a key. */
function uniqueNames(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => new URL(url).host);
  return hosts.map((host, index) => {
    const before = hosts.slice(0, index).filter((other) => other === host).length;
    return before === 0 ? host : `${host}#${before + 1}`;
  });
}
