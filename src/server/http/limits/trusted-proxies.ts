import { BlockList, isIPv6 } from 'node:net';
import type { Express } from 'express';
import { LRUCache } from 'lru-cache';
import type { DoorRequest } from '#doors/request';
import type { Log } from '#ports/log';
import { PROXIES_CACHED_MAX } from './limits.js';

/**
 * Makes Express take the word of these proxies (addresses and networks, CIDR) on where a request
 * comes from, and returns a look at whether an address is one of them. What was found is
 * remembered: Express compares numbers that it reads from texts each time.
 */
export function trustProxies(app: Express, proxies: readonly string[]): (address: string) => boolean {
  app.set('trust proxy', [...proxies]);
  const look = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const cached = new LRUCache<string, boolean>({ max: PROXIES_CACHED_MAX, memoMethod: (address) => look(address, 0) });
  const isProxy = (address: string) => cached.memo(address);
  app.set('trust proxy', isProxy);
  return isProxy;
}

/** Addresses of one's own network and machine (RFC 1918, 4193, 6598, 3927, 4291). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

const WARNING =
  'requests come through a proxy that is not in TRUSTED_PROXIES: all of its callers share the limits of one address; ' +
  'add its address, or make it stop sending X-Forwarded-For';

/**
 * Returns a look at each request that warns once when callers come through a proxy of the own
 * network that is not trusted: then they all count as one address. A caller from outside can cause
 * no such warning.
 */
export function createProxyWarning(
  log: Pick<Log, 'warn'>,
  isTrusted: (address: string) => boolean,
): (req: DoorRequest) => void {
  let warned = false;
  return ({ headers, socket }) => {
    if (warned || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) return;
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address) || !isPrivate(address)) return;
    warned = true;
    log.warn({ proxy: address }, WARNING);
  };
}

function isPrivate(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  return bare !== '' && PRIVATE.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}
