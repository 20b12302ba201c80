import type { PaymentWorld } from '#test/support/payment-world';
import { type Cell, nameOf } from './cells.js';
import { breachesOf } from './judge.js';
import { play } from './story.js';

/** Plays the cells, so many at a time. Returns every promise that was broken, with its cell. */
export async function playAll(
  world: PaymentWorld,
  cells: readonly Cell[],
  {
    atOnce,
    progress,
  }: { readonly atOnce: number; readonly progress?: (cell: Cell, breaches: readonly string[]) => void },
): Promise<readonly string[]> {
  const broken: string[] = [];
  const waiting = [...cells];
  const work = async () => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const breaches = await play(world, cell).then(breachesOf, (error: Error) => [`not played: ${error.stack}`]);
      broken.push(...breaches.map((breach) => `${nameOf(cell!)}: ${breach}`));
      progress?.(cell, breaches);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return broken;
}
