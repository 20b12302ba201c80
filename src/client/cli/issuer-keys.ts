import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, parseObject } from '#domain/json';
import { type EvidenceJwks, parseJwks } from '../evidence/jws.js';
import { Deadline } from '../http/deadline.js';
import { exchange } from '../http/http.js';
import { makePrivateFolder, replaceWhole } from '../node/durable.js';
import type { Cli } from './cli.js';
import { homeOf } from './client.js';

/** A key set as it was when its service was asked for it. */
export interface StoredKeys {
  readonly jwks: EvidenceJwks;
  readonly fetchedAtMs: number;
}

/** Keys are asked for again after this long, so that a revoked one is noticed. */
const FRESH_MS = 24 * 3_600_000;
/** An answer is not held up by them for longer. */
const FETCH_MS = 2_000;

/** Returns the keys that were kept of a service; null if there are none that can be read. */
export function storedIssuerKeys(issuer: string, cli: Cli): StoredKeys | null {
  if (!URL.canParse(issuer)) return null;
  const path = pathOf(issuer, cli);
  const received = existsSync(path) ? parseObject(readFileSync(path, 'utf8')) : null;
  const jwks = parseJwks(JSON.stringify(received?.jwks ?? null));
  return jwks === null || typeof received?.fetched_at_ms !== 'number'
    ? null
    : { jwks, fetchedAtMs: received.fetched_at_ms };
}

/** Asks a service for its keys and keeps them. Free. Rejects if it cannot be asked. */
export async function fetchIssuerKeys(baseUrl: string, cli: Cli): Promise<StoredKeys> {
  const { signal, system } = cli.world;
  const deadline = new Deadline(system, FETCH_MS, [signal]);
  const url = `${baseUrl}/.well-known/jwks.json`;
  const fetch = (address: string, init: RequestInit) => globalThis.fetch(address, init);
  const asked = exchange(fetch, { method: 'GET', url, body: null }, {}, deadline.signal);
  const { status, text } = await asked.finally(() => deadline.end());
  const jwks = status === 200 ? parseJwks(text) : null;
  if (jwks === null) throw new Error(`${url} answered ${status} without a key set. Nothing was charged`);
  const fetchedAtMs = system.clock.nowMs();
  const path = pathOf(baseUrl, cli);
  makePrivateFolder(folderOf(cli));
  replaceWhole(path, JSON.stringify({ fetched_at_ms: fetchedAtMs, jwks }));
  return { jwks, fetchedAtMs };
}

/**
 * Keeps the keys of a service whose answer carries evidence, unless they are at hand. Never fails:
 * an answer is there.
 */
export async function keepIssuerKeys(body: unknown, baseUrl: string, cli: Cli): Promise<void> {
  const jws = asObject(asObject(body)?.evidence)?.jws;
  if (typeof jws !== 'string') return;
  try {
    const stored = storedIssuerKeys(baseUrl, cli);
    const isFresh = stored !== null && cli.world.system.clock.nowMs() - stored.fetchedAtMs < FRESH_MS;
    if (isFresh && stored.jwks.keys.some(({ kid }) => kid === kidOf(jws))) return;
    await fetchIssuerKeys(baseUrl, cli);
  } catch {
    // `verify` says what is missing, and how to get it.
  }
}

function kidOf(jws: string): unknown {
  const [header = ''] = jws.split('.');
  return parseObject(Buffer.from(header, 'base64url').toString('utf8'))?.kid;
}

const folderOf = (cli: Cli) => join(homeOf(cli), 'issuers');
const pathOf = (issuer: string, cli: Cli) => join(folderOf(cli), `${encodeURIComponent(new URL(issuer).href)}.json`);
