import type { PaymentWorld } from '#test/support/payment-world';
import type { Cell } from './cells.js';
import { breachesOf, outcomeOf } from './judge.js';
import type { Seller } from './seller.js';
import { play, type Story } from './story.js';

/** A cell that was played, and what it broke. */
export interface Played {
  readonly cell: Cell;
  /** null where it could not be played to its end. */
  readonly story: Story | null;
  readonly outcome: string;
  readonly breaches: readonly string[];
  /** Where its process died. */
  readonly deaths: readonly string[];
}

export interface Runner {
  readonly world: PaymentWorld;
  readonly seller: Seller;
  /** Cells in work at once: most of them wait for a timeout or a block. */
  readonly atOnce: number;
  /** Called after each cell. */
  readonly progress?: (played: Played) => void;
  /** Ends the run at once; the cells in work are given up. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the cells, the long ones first; one that fails does not stop the others. Returns them in
 * the given order; those that were played when the run was ended by its signal.
 */
export async function playAll(
  cells: readonly Cell[],
  { world, seller, atOnce, progress, signal }: Runner,
): Promise<readonly Played[]> {
  const played = new Map<Cell, Played>();
  const waiting = cells.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  const work = async () => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const result = await playOne(world, seller, cell);
      if (signal?.aborted) return;
      played.set(cell, result);
      progress?.(result);
    }
  };
  const ended = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
  await Promise.race([ended, Promise.all(Array.from({ length: atOnce }, work))]);
  return cells.flatMap((cell) => played.get(cell) ?? []);
}

async function playOne(world: PaymentWorld, seller: Seller, cell: Cell): Promise<Played> {
  try {
    const story = await play(world, seller, cell);
    return { cell, story, outcome: outcomeOf(story), breaches: breachesOf(story), deaths: story.deaths };
  } catch (error) {
    return { cell, story: null, outcome: 'none', breaches: [`not played: ${(error as Error).stack}`], deaths: [] };
  }
}

/** What takes long: an authorization that has to expire, or a timeout. */
function lengthOf({ fault }: Cell): number {
  if (fault.end === 402) return 2;
  return fault.plans.some((plan) => plan.delayMs !== undefined || plan.fault.startsWith('hang')) ? 1 : 0;
}

/**
 * Returns what the money says when all is over: late transfers included, no wallet may have sent
 * more than its story told, and the payee has exactly the prices of all 200s.
 */
export async function audit(
  world: PaymentWorld,
  played: readonly Played[],
): Promise<{ earnedMicros: bigint; breaches: readonly string[] }> {
  const breaches: string[] = [];
  let dueMicros = 0n;
  for (const { story } of played) {
    if (story === null) continue;
    const { length } = await world.transfersFrom(story.payer);
    if (length !== story.transfers.length) breaches.push(`${nameOf(story.cell)}: ${length} transfers in the end`);
    if (outcomeOf(story).startsWith('200')) dueMicros += story.cell.operation.priceMicros;
  }
  const earnedMicros = await world.earned();
  if (earnedMicros !== dueMicros)
    breaches.push(`the payee has ${earnedMicros} micro-USDC for answers worth ${dueMicros}`);
  return { earnedMicros, breaches };
}

/** Returns every broken promise with its cell, a line each; "" where all were kept. */
export function listBroken(played: readonly Played[]): string {
  return played.flatMap(({ cell, breaches }) => breaches.map((breach) => `${nameOf(cell)}: ${breach}`)).join('\n');
}

/** How a cell is called in a report. */
export function nameOf({ crashes, fault, operation, version, killWhen }: Cell): string {
  const killed = typeof killWhen === 'number' ? `killed after ${killWhen} ms` : `killed at "${killWhen}"`;
  const deaths = killWhen === undefined ? crashes.join(' then ') || 'no crash' : killed;
  return `${deaths} × ${fault.group}: ${fault.name} × ${operation.name} v${version}`;
}
