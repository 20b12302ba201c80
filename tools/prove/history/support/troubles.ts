import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_MS } from '#ports/leases';
import type { Dice } from '#test/support/killed-process';
import type { HistoryWorld, Site } from './world.js';

/** Between the beginnings of two troubles, which may overlap. */
const INTERVAL_MS = { least: 1_000, most: 4_000 } as const;
const DOWN_MS_MAX = 1_000;
const CUT_MS_MAX = 4_000;
const HOUR_MS = 3_600_000;

const TROUBLES = {
  'replica killed': async (world, site, dice) => {
    await world.kill(site);
    await sleep(dice.next() * DOWN_MS_MAX);
    await world.revive(site);
  },
  'replica paused beyond its lease': async (_, { replica }, dice) => {
    replica?.pause();
    await sleep(LEASE_MS * (1.1 + dice.next() / 2));
    replica?.goOn();
  },
  'connections broken': async (_, { proxy }) => proxy.cut(),
  'database out of reach': async (_, { proxy }, dice) => {
    proxy.refuse(true);
    await sleep(dice.next() * CUT_MS_MAX);
    proxy.refuse(false);
  },
  'packets lost': async (_, { proxy }, dice) => {
    proxy.swallow(true);
    await sleep(dice.next() * CUT_MS_MAX);
    proxy.swallow(false);
  },
  'database killed': async (world, _, dice) => {
    await sleep(dice.next() * DOWN_MS_MAX);
    await world.killPostgres();
  },
  'wall clock an hour ahead': async (_, { replica }) => setClock(replica, HOUR_MS),
  'wall clock an hour behind': async (_, { replica }) => setClock(replica, -HOUR_MS),
} as const satisfies Record<string, (world: HistoryWorld, site: Site, dice: Dice) => Promise<void>>;

type Trouble = keyof typeof TROUBLES;

/** One that is paused is told when it goes on. */
async function setClock(replica: Site['replica'], aheadMs: number): Promise<void> {
  await replica?.send({ order: 'set clock', aheadMs }).catch(() => null);
}

/** Makes trouble until the time is up, and mends all of it. Returns how often there was each. */
export async function makeTrouble(
  world: HistoryWorld,
  { dice, untilMs }: { readonly dice: Dice; readonly untilMs: number },
): Promise<ReadonlyMap<Trouble, number>> {
  const names = Object.keys(TROUBLES) as Trouble[];
  const counts = new Map<Trouble, number>(names.map((name) => [name, 0]));
  // One replica has one trouble at a time, and the database too.
  const busy = new Set<Site | 'database'>();
  const inFlight = new Set<Promise<void>>();
  while (performance.now() < untilMs) {
    const name = names[Math.floor(dice.next() * names.length)]!;
    const site = world.sites[Math.floor(dice.next() * world.sites.length)]!;
    const whose = name === 'database killed' ? 'database' : site;
    if (!busy.has(whose)) {
      busy.add(whose);
      counts.set(name, counts.get(name)! + 1);
      const trouble: Promise<void> = TROUBLES[name](world, site, dice).finally(() => {
        busy.delete(whose);
        inFlight.delete(trouble);
      });
      inFlight.add(trouble);
    }
    await sleep(INTERVAL_MS.least + dice.next() * (INTERVAL_MS.most - INTERVAL_MS.least));
  }
  await Promise.all(inFlight);
  return counts;
}
