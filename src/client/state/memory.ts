import type { Clock } from '#system/clock';
import { BUDGET_WINDOW_MS } from '../terms/limits.js';
import type { Claim, ClientState, KeptAnswers, PayeePins, PurchaseJournal, SpendLedger } from './ports.js';
import type { Purchase } from './purchase.js';

/** State that ends with the page: a wallet there asks the person before each signature. */
export function memoryState(clock: Clock): ClientState {
  return { ledger: memoryLedger(clock), journal: memoryJournal(), pins: memoryPins(), kept: memoryAnswers() };
}

const STORED_ANSWERS_MAX = 200;

function memoryLedger(clock: Clock): SpendLedger {
  const claims: (Claim & { readonly atMs: number })[] = [];
  const spent = (payer: string, budget: string) => {
    const sinceMs = clock.nowMs() - BUDGET_WINDOW_MS;
    const live = claims.filter((one) => one.payer === payer && one.budget === budget && one.atMs > sinceMs);
    return live.reduce((sum, { count }) => sum + count, 0);
  };
  return {
    async claim(claim) {
      if (claims.some(({ purchaseId }) => purchaseId === claim.purchaseId)) return { kind: 'claimed' };
      const before = spent(claim.payer, claim.budget);
      if (!(before + claim.count <= claim.cap)) return { kind: 'over', spent: before };
      claims.push({ ...claim, atMs: clock.nowMs() });
      return { kind: 'claimed' };
    },
    spent: async (payer, budget) => spent(payer, budget),
  };
}

function memoryJournal(): PurchaseJournal {
  const open = new Map<string, Purchase>();
  const aside = new Map<string, Purchase>();
  const keyOf = ({ payer, requestId }: Pick<Purchase, 'payer' | 'requestId'>) => `${payer} ${requestId}`;
  return {
    find: async (payer, requestId) => open.get(keyOf({ payer, requestId })) ?? null,
    async begin(purchase) {
      const standing = open.get(keyOf(purchase)) ?? purchase;
      open.set(keyOf(purchase), standing);
      return standing;
    },
    async save(purchase) {
      open.set(keyOf(purchase), purchase);
    },
    async finish(purchase) {
      if (open.get(keyOf(purchase))?.id === purchase.id) open.delete(keyOf(purchase));
      aside.delete(purchase.id);
    },
    async setAside(purchase) {
      open.delete(keyOf(purchase));
      aside.set(purchase.id, purchase);
    },
    list: async (payer) => [...open.values(), ...aside.values()].filter((purchase) => purchase.payer === payer),
  };
}

function memoryPins(): PayeePins {
  const pins = new Map<string, string>();
  return {
    async pin(payer, origin, payee) {
      const pinned = pins.get(`${payer} ${origin}`) ?? payee;
      pins.set(`${payer} ${origin}`, pinned);
      return pinned;
    },
  };
}

function memoryAnswers(): KeptAnswers {
  const answers = new Map<string, { readonly body: string; readonly untilMs: number }>();
  return {
    async find(request, nowMs) {
      const stored = answers.get(request);
      return stored !== undefined && nowMs < stored.untilMs ? stored.body : null;
    },
    async keep(request, body, untilMs) {
      answers.delete(request);
      answers.set(request, { body, untilMs });
      const [oldest] = answers.keys();
      if (answers.size > STORED_ANSWERS_MAX) answers.delete(oldest!);
    },
  };
}
