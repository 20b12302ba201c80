import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '#domain/json';
import type { Clock } from '#system/clock';
import type { Budget, Claim, ClaimResult, SpendLedger } from '../state/ports.js';
import { BUDGET_WINDOW_MS } from '../terms/limits.js';
import { claimName, makePrivateFolder, syncFolder } from './durable.js';

/** The youngest claim of one slot. */
interface Slot {
  readonly generation: number;
  readonly atMs: number;
  readonly purchaseId: string | null;
}

type Slots = ReadonlyMap<number, Slot>;

const NAME = /^(\d{1,9})\.(\d{1,9})$/;

/**
 * A budget as files, without a lock: a cap of N is N slots. A claim makes `slot.generation` with
 * O_EXCL for each unit, and has it on disk before anything is signed. A slot may be taken again, as
 * its next generation, when its claim is 24 hours old. A torn slot counts from the time of its
 * file. Nothing is ever given back, so whatever dies, and when, the sum of what is claimed in 24
 * hours stays within the cap.
 */
export function fileLedger(folderOf: (payer: string) => string, clock: Pick<Clock, 'nowMs'>): SpendLedger {
  const open = (payer: string, budget: Budget) => {
    const folder = join(folderOf(payer), budget);
    makePrivateFolder(folder);
    return folder;
  };
  return {
    async claim(claim) {
      return claimIn(open(claim.payer, claim.budget), claim, clock.nowMs());
    },
    async spent(payer, budget) {
      return liveOf(readSlots(open(payer, budget)), clock.nowMs());
    },
  };
}

function claimIn(folder: string, { count, cap, purchaseId }: Claim, nowMs: number): ClaimResult {
  const slots = readSlots(folder);
  const own = ownedBy(slots, purchaseId);
  if (own >= count) return { kind: 'claimed' };
  const live = liveOf(slots, nowMs);
  if (live + count - own > cap) return { kind: 'over', spent: live };
  const text = JSON.stringify({ at_ms: nowMs, purchase: purchaseId });
  take(folder, slots, { count: count - own, cap, nowMs, text });
  syncFolder(folder);
  // Only the youngest generation of a slot counts: a process that slept for a day may have made an
  // older one.
  const after = readSlots(folder);
  return ownedBy(after, purchaseId) >= count ? { kind: 'claimed' } : { kind: 'over', spent: liveOf(after, nowMs) };
}

/** Takes free slots, from the first; those that another process takes meanwhile are passed over. */
function take(
  folder: string,
  slots: Slots,
  { count, cap, nowMs, text }: { count: number; cap: number; nowMs: number; text: string },
): void {
  let taken = 0;
  for (let slot = 0; slot < cap && taken < count; slot++) {
    const last = slots.get(slot);
    if (last !== undefined && isLive(last, nowMs)) continue;
    const generation = (last?.generation ?? -1) + 1;
    if (!claimName(join(folder, `${slot}.${generation}`), text)) continue;
    taken++;
    rmSync(join(folder, `${slot}.${generation - 2}`), { force: true });
  }
}

function readSlots(folder: string): Slots {
  const youngest = new Map<number, number>();
  for (const name of readdirSync(folder)) {
    const [, slot, generation] = NAME.exec(name) ?? [];
    if (slot === undefined) continue;
    youngest.set(Number(slot), Math.max(Number(generation), youngest.get(Number(slot)) ?? 0));
  }
  return new Map(
    [...youngest].map(([slot, generation]) => [slot, readSlot(join(folder, `${slot}.${generation}`), generation)]),
  );
}

function readSlot(path: string, generation: number): Slot {
  const received = parseObject(readFileSync(path, 'utf8'));
  const atMs = typeof received?.at_ms === 'number' ? received.at_ms : statSync(path).mtimeMs;
  return { generation, atMs, purchaseId: typeof received?.purchase === 'string' ? received.purchase : null };
}

/** A claim of the future counts too: the clock was set back since. */
function isLive({ atMs }: Slot, nowMs: number): boolean {
  return atMs > nowMs - BUDGET_WINDOW_MS;
}

function liveOf(slots: Slots, nowMs: number): number {
  return [...slots.values()].filter((slot) => isLive(slot, nowMs)).length;
}

function ownedBy(slots: Slots, purchaseId: string): number {
  return [...slots.values()].filter((slot) => slot.purchaseId === purchaseId).length;
}
