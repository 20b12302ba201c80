import { requestIdOf } from '#client/purchase/request-id';
import { memoryState } from '#client/state/memory';
import type { ClientState, PurchaseJournal, SpendLedger } from '#client/state/ports';
import type { OutgoingRequest, Purchase } from '#client/state/purchase';
import type { ClientSystem } from '#client/system';
import { asObject } from '#domain/json';
import { OPEN_KEY } from './open-key.js';

/** Where open purchases are kept: the storage of a tab, which ends with it. */
export interface TabStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** More than one person begins in one tab. Beyond it nothing is signed. */
const OPEN_MAX = 32;

/**
 * State of the client in a tab: purchases outlive a reload until their outcome is known, and
 * nothing else does. What was spent is counted from the last reload on, as the wallet asks the
 * person before each signature; all places for paying of a page count in one ledger.
 */
export function tabState(storage: TabStorage, clock: ClientSystem['clock'], ledger: SpendLedger): ClientState {
  return { ...memoryState(clock), journal: tabJournal(storage), ledger };
}

/** Returns the purchases whose outcome is not known. Those that cannot be read are none. */
export function openPurchases(storage: TabStorage): readonly Purchase[] {
  try {
    return read(storage);
  } catch {
    return [];
  }
}

/**
 * Ends what was begun and never signed, when a page opens: a signature that was given to a page
 * before it was gone was sent to nobody.
 */
export function dropUnsigned(storage: TabStorage): void {
  const all = openPurchases(storage);
  const stored = all.filter(({ lane }) => lane.kind === 'credits' || lane.signature !== null);
  if (stored.length < all.length) write(storage, stored);
}

function tabJournal(storage: TabStorage): PurchaseJournal {
  const isSame = (payer: string, requestId: string) => (one: Purchase) =>
    one.payer === payer && one.requestId === requestId;
  return {
    find: async (payer, requestId) => read(storage).find(isSame(payer, requestId)) ?? null,
    async begin(purchase) {
      const all = read(storage);
      const standing = all.find(isSame(purchase.payer, purchase.requestId));
      if (standing !== undefined) return standing;
      if (all.length >= OPEN_MAX) throw new Error(`${OPEN_MAX} purchases of this tab are open`);
      write(storage, [...all, purchase]);
      return purchase;
    },
    async save(purchase) {
      write(storage, [...read(storage).filter(({ id }) => id !== purchase.id), purchase]);
    },
    finish: async ({ id }) => forget(storage, id),
    // Nothing here starts another purchase beside one that is open.
    setAside: async () => Promise.reject(new Error('a purchase in a page cannot be set aside')),
    list: async (payer) => read(storage).filter((one) => one.payer === payer),
  };
}

/** Takes a purchase out of the storage: its outcome is known, or it can have none any more. */
export function forget(storage: TabStorage, id: string): void {
  write(
    storage,
    read(storage).filter((one) => one.id !== id),
  );
}

/**
 * Lets a payment that was charged for nothing pay for the same answer by another request. It is
 * stored before that is sent, so that a reload goes on with it.
 */
export async function payInstead(storage: TabStorage, purchase: Purchase, request: OutgoingRequest): Promise<void> {
  const { method, url, body } = request;
  const requestId = await requestIdOf(purchase.lane.kind, method, url, body);
  const others = read(storage).filter(({ id }) => id !== purchase.id);
  write(storage, [...others, { ...purchase, request, requestId }]);
}

/**
 * Throws if there is something that this code has not written: then nothing may be paid beside it.
 */
function read(storage: TabStorage): readonly Purchase[] {
  const text = storage.getItem(OPEN_KEY);
  if (text === null) return [];
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found) || !found.every(isPurchase))
    throw new Error('the open purchases of this tab are unreadable');
  return found;
}

function isPurchase(value: unknown): value is Purchase {
  const one = asObject(value);
  const { url } = asObject(one?.request) ?? {};
  const { kind } = asObject(one?.lane) ?? {};
  return one?.version === 1 && typeof url === 'string' && (kind === 'x402' || kind === 'credits');
}

function write(storage: TabStorage, purchases: readonly Purchase[]): void {
  if (purchases.length === 0) storage.removeItem(OPEN_KEY);
  else storage.setItem(OPEN_KEY, JSON.stringify(purchases));
}
