import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#system/clock';
import { lastSecondOf } from '../purchase/authorization-end.js';
import type { PurchaseJournal, PurchaseOutcome } from '../state/ports.js';
import type { Purchase } from '../state/purchase.js';
import { createWhole, makePrivateFolder, replaceWhole, syncFolder } from './durable.js';
import { damagedAt, jsonFiles, readAll, readPurchase } from './read-purchase.js';

const SIGNATURE_CHARS = 132;
const ID = /^[0-9a-f]{32}$/;
/**
 * Finished purchases that are kept for their owner to look at; the oldest go when there are a
 * quarter more.
 */
const FINISHED_MAX = 1_000;

/**
 * Purchases as files: `open/<request>.json` is the unfinished one of a request, `aside/<id>.json`
 * one that made room for another, `finished/<id>.json` what is left of the others, without
 * signatures and keys. Files are replaced whole.
 */
export function fileJournal(folderOf: (payer: string) => string, clock: Pick<Clock, 'nowMs'>): PurchaseJournal {
  const folder = (payer: string, name: 'open' | 'aside' | 'finished') => {
    const path = join(folderOf(payer), name);
    makePrivateFolder(path);
    return path;
  };
  const openPath = ({ payer, requestId }: Pick<Purchase, 'payer' | 'requestId'>) =>
    join(folder(payer, 'open'), `${requestId}.json`);
  const asidePath = ({ payer, id }: Purchase) => join(folder(payer, 'aside'), `${id}.json`);
  const find = (payer: string, requestId: string) => {
    const path = openPath({ payer, requestId });
    const found = readPurchase(path);
    if (found === null || (found.payer === payer && found.requestId === requestId && ID.test(found.id))) return found;
    // Its own names are names of files, too.
    throw damagedAt(path, 'is not the purchase that its name says');
  };
  const standing = (payer: string) => [folder(payer, 'open'), folder(payer, 'aside')];
  const isStanding = (purchase: Purchase) => find(purchase.payer, purchase.requestId)?.id === purchase.id;
  const journal: PurchaseJournal = {
    find: async (payer, requestId) => find(payer, requestId),
    async begin(purchase) {
      await endOver(journal, purchase.payer, clock.nowMs() / 1e3);
      if (createWhole(openPath(purchase), JSON.stringify(purchase))) return purchase;
      const standing = find(purchase.payer, purchase.requestId);
      if (standing === null) throw new Error('another process ended the same purchase at this moment: try again');
      return standing;
    },
    async save(purchase) {
      if (!isStanding(purchase)) throw new Error('another process has ended this purchase');
      replaceWhole(openPath(purchase), textOf(purchase));
    },
    async finish(purchase, outcome) {
      const finished = folder(purchase.payer, 'finished');
      replaceWhole(join(finished, `${purchase.id}.json`), JSON.stringify(toFinished(purchase, outcome, clock.nowMs())));
      rmSync(asidePath(purchase), { force: true });
      if (isStanding(purchase)) rmSync(openPath(purchase), { force: true });
      syncFolder(folder(purchase.payer, 'open'));
      forgetOldest(finished);
    },
    async setAside(purchase) {
      renameSync(openPath(purchase), asidePath(purchase));
      syncFolder(folder(purchase.payer, 'aside'));
      syncFolder(folder(purchase.payer, 'open'));
    },
    list: async (payer) => readAll(standing(payer)).purchases,
    damaged: async (payer) => readAll(standing(payer)).damaged,
  };
  return journal;
}

/**
 * Ends what no chain takes any more, also if nobody makes the same call again. One that cannot be
 * read stands in the way of its own call alone.
 */
async function endOver(journal: PurchaseJournal, payer: string, nowS: number): Promise<void> {
  for (const purchase of await journal.list(payer).catch(() => [])) {
    const { lane } = purchase;
    const isOver = lane?.kind === 'x402' && nowS > lastSecondOf(lane.authorization ?? { validBefore: '' });
    if (isOver && ID.test(purchase.id) && purchase.payer === payer)
      await journal.finish(purchase, 'expired').catch(() => {});
  }
}

/** What is not signed yet takes as much room as when it is. */
function textOf(purchase: Purchase): string {
  const isOpen = purchase.lane.kind === 'x402' && purchase.lane.signature === null;
  return JSON.stringify(purchase) + (isOpen ? ' '.repeat(SIGNATURE_CHARS) : '');
}

/** What may be kept of a purchase: nothing that can be used. */
function toFinished({ id, payer, request, begunAtMs, lane }: Purchase, outcome: PurchaseOutcome, endedAtMs: number) {
  const { method, url } = request;
  const facts = { id, payer, outcome, request: { method, url }, begun_at_ms: begunAtMs, ended_at_ms: endedAtMs };
  if (lane.kind === 'credits') return { ...facts, lane: 'credits' };
  const { to, value, validBefore, nonce } = lane.authorization;
  return { ...facts, lane: 'x402', authorization: { to, value, validBefore, nonce } };
}

function forgetOldest(folder: string): void {
  const paths = jsonFiles(folder);
  if (paths.length < FINISHED_MAX * 1.25) return;
  const aged = paths.map((path) => ({ path, atMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  aged.sort((a, b) => a.atMs - b.atMs);
  for (const { path } of aged.slice(0, -FINISHED_MAX)) rmSync(path, { force: true });
}
