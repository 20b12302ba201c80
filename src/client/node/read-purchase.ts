import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asObject } from '#domain/json';
import { lastSecondOf } from '../purchase/authorization-end.js';
import { PurchaseDamaged } from '../state/damaged-purchase.js';
import type { Purchase } from '../state/purchase.js';
import { DEFAULT_LIMITS } from '../terms/limits.js';

const VALUE = /^\d{1,30}$/;
const SECONDS = /^\d{1,12}$/;
/** The last moment that a Date can name. */
const DATE_MS_MAX = 8.64e15;

/** Throws PurchaseDamaged on a file that cannot be read: what it stands for may be charged. */
export function readPurchase(path: string): Purchase | null {
  if (!existsSync(path)) return null;
  try {
    const purchase = JSON.parse(readFileSync(path, 'utf8')) as Purchase;
    if (purchase.version === 1) return purchase;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw damagedAt(path, 'cannot be read', cause);
  }
  throw damagedAt(path, 'is of another version of this client');
}

/** Returns the error of a file that is no purchase, and until when one there may be charged. */
export function damagedAt(path: string, what: string, cause?: unknown): PurchaseDamaged {
  const writtenAtMs = Math.round(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const lastS = lastSecondOf({ validBefore: writtenAtMs / 1e3 + DEFAULT_LIMITS.authorizationS });
  return new PurchaseDamaged({ path, writtenAtMs, overAtMs: lastS * 1e3 }, what, cause);
}

/** Returns the purchases of some folders, and the files in them that are none. */
export function readAll(folders: readonly string[]) {
  const found = folders.flatMap(jsonFiles).map(readWhole);
  return {
    purchases: found.filter((one) => one !== null && !(one instanceof PurchaseDamaged)) as readonly Purchase[],
    damaged: found.filter((one) => one instanceof PurchaseDamaged).map(({ damaged }) => damaged),
  };
}

function readWhole(path: string): Purchase | PurchaseDamaged | null {
  try {
    const purchase = readPurchase(path);
    return purchase === null || isWhole(purchase) ? purchase : damagedAt(path, 'has parts missing');
  } catch (error) {
    if (error instanceof PurchaseDamaged) return error;
    throw error;
  }
}

/** Whether all parts of a purchase that a list shows are there. */
function isWhole({ id, request, begunAtMs, lane }: Purchase): boolean {
  const { method, url } = asObject(request) ?? {};
  const isNamed = [id, method, url].every((text) => typeof text === 'string');
  if (!isNamed || typeof begunAtMs !== 'number' || Math.abs(begunAtMs) > DATE_MS_MAX) return false;
  if (asObject(lane)?.kind === 'credits') return true;
  const { value, validBefore } = asObject(asObject(lane)?.authorization) ?? {};
  return VALUE.test(String(value)) && SECONDS.test(String(validBefore));
}

/** Returns the paths of the JSON files of a folder. */
export function jsonFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}
