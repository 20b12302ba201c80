import type { Express } from 'express';
import { LRUCache } from 'lru-cache';
import { PROXIES_KEPT_MAX } from './limits.js';

/**
 * Makes Express take the word of these proxies (addresses and networks, CIDR) on where a request comes from, and returns a look at
 * whether an address is one of them. What was found is remembered: Express compares numbers that it reads from texts each time.
 */
export function trustProxies(app: Express, proxies: readonly string[]): (address: string) => boolean {
  app.set('trust proxy', [...proxies]);
  const look = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const known = new LRUCache<string, boolean>({ max: PROXIES_KEPT_MAX, memoMethod: (address) => look(address, 0) });
  const isProxy = (address: string) => known.memo(address);
  app.set('trust proxy', isProxy);
  return isProxy;
}
