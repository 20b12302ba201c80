import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import { connectRtds } from '#adapters/polymarket/rtds';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import type { Config } from '#config/config';
import type { ChainReader } from '#ports/settlement';
import type { Upstream } from '#ports/venue';
import { describeForeignTransfers } from '#services/payments/foreign-transfers';
import { withTimeout } from '#services/with-timeout';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import { creditsPath, hasCredits, isBegun, isUnwritten, openStore } from './credits.js';
import { openOutside } from './outside.js';
import { faultOfPlaces, nearest } from './places.js';
import { openTapeSources } from './tape.js';

/** What is not there by then is not there. */
const CHECK_MS_MAX = 10_000;
const TRIES_MAX = 3;

/** One thing that the service needs, and how it was found. */
export interface Finding {
  readonly name: string;
  /** null: all is well. */
  readonly fault: string | null;
  /** What may be wrong, and does not keep the service from starting. */
  readonly warning?: string | null;
}

/**
 * Looks at everything that the settings name as the service would: the store, the venue with its
 * sockets, facilitators, and the chain (by its id). Nothing is written but what a database needs to
 * show that it can be. Never rejects.
 */
export async function checkOutside(config: Config): Promise<readonly Finding[]> {
  const deps = { clock: systemClock, timers: systemTimers, random: systemRandom };
  const { gamma, clobMarkets, clobBooks, facilitators, chain } = openOutside(config, deps);
  const venue = [gamma, clobMarkets, clobBooks, ...openTapeSources(config.venue, systemClock).upstreams];
  const upstreams = [...venue, ...facilitators, ...(config.baseRpcUrls.length === 0 ? [] : [chain])];
  return Promise.all([
    found('store', () => checkStore(config)),
    ...upstreams.map((upstream) => found(upstream.health().name, () => checkUpstream(upstream))),
    found('market-channel', () => checkSocket(connectMarketChannel(config.venue.wsUrl))),
    found('rtds', () => checkSocket(connectRtds(config.venue.rtdsUrl))),
    checkPayee(config, chain),
    checkAddress('address', config, ''),
    ...(config.metrics === null ? [] : [checkAddress('metrics', config.metrics, 'METRICS_')]),
  ]);
}

async function found(name: string, look: () => Promise<string | null>): Promise<Finding> {
  const late = () => `no answer within ${CHECK_MS_MAX / 1e3} s`;
  try {
    return { name, fault: await withTimeout(look(), { timers: systemTimers, ms: CHECK_MS_MAX }, late) };
  } catch (error) {
    return { name, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** A process that has just begun is slow at first, and some limits are short. */
async function checkUpstream(upstream: Upstream): Promise<string | null> {
  let fault: string | null = null;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    await upstream.probe();
    const { ok, lastError } = upstream.health();
    // Of two endpoints the service needs one; whoever checks wants to hear of the other.
    fault = ok === true && lastError === null ? null : (lastError ?? 'it did not answer');
    if (fault === null) break;
  }
  return fault;
}

/**
 * An embedded store is looked at if it is there, and not brought to this version: the one that
 * serves may be older. Else the places must be such that it can be made.
 */
async function checkStore(config: Config): Promise<string | null> {
  const fault = faultOfPlaces(config);
  if (fault !== null) return fault;
  if (config.storeUrl !== null) {
    const { store } = await openStore(config);
    await store.ping().finally(() => store.close());
    return null;
  }
  if (isBegun(config) && !isUnwritten(config)) {
    const { store } = await openStore(config, 'look');
    await store.close();
    accessSync(creditsPath(config.dataDir), constants.W_OK);
    return null;
  }
  for (const dir of [config.dataDir, config.keysDir]) accessSync(nearest(resolve(dir)), constants.W_OK);
  return null;
}

/**
 * Looks whether it can be listened there: by another, it may be the service that this one follows.
 * `prefix`: of the settings that say where.
 */
function checkAddress(
  name: string,
  { host, port }: Pick<Config, 'host' | 'port'>,
  prefix: '' | 'METRICS_',
): Promise<Finding> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const isTaken = code === 'EADDRINUSE';
      const warning = isTaken ? `${prefix}PORT ${port} is taken: it has to be free when the service starts` : null;
      done({ name, fault: isTaken ? null : `${prefix}HOST and ${prefix}PORT: ${message}`, warning });
    });
    server.listen(port, host, () => server.close(() => done({ name, fault: null })));
  });
}

/** Looks whether another store sells for the same payee. Never rejects. */
async function checkPayee(config: Config, chain: ChainReader): Promise<Finding> {
  const finding = { name: 'payee', fault: null };
  const hasStore = config.storeUrl !== null || hasCredits(config.dataDir);
  if (config.baseRpcUrls.length === 0 || !hasStore) return finding;
  try {
    const { store } = await openStore(config, 'look');
    const till = { payTo: config.payee, asset: config.usdc };
    const look = describeForeignTransfers(till, { store, chain }).finally(() => store.close());
    return { ...finding, warning: await withTimeout(look, { timers: systemTimers, ms: CHECK_MS_MAX }, () => null) };
  } catch {
    // What cannot be looked at is named by the other findings.
    return finding;
  }
}

function checkSocket(connect: ConnectTextSocket): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({
      onOpen: () => {
        done(null);
        socket.close();
      },
      onText: () => undefined,
      onClose: (reason) => done(reason),
    });
  });
}
