import { join } from 'node:path';
import type { OrderVerdict } from '#api/order-verdict';
import type { OrderInput } from '#client/answers';
import { type GuardOptions, guard, type VerdictSource } from '#client/guard/index';
import type { GuardLine } from '#client/guard/state/guard-line';
import { readGuardLog } from '#client/guard/state/guard-log';
import { fileOrderClaims } from '#client/guard/state/order-claims';
import { type LiveVerdicts, startLiveVerdicts } from '#test/support/live-verdicts';
import { tempFolder } from '#test/support/temp-folder';
import { fresh } from './fresh.js';
import type { OfficialClient, OfficialOrders } from './official-clients.js';
import { type OrderDoor, startOrderDoor } from './order-door.js';

/** Markets of the local venue by what an order of theirs is. */
export const SLUGS = {
  deep: 'will-ada-marlowe-win-the-arcadia-presidential-election',
  usual: 'will-arcadia-call-a-snap-election-by-december-31',
  thin: 'will-the-long-tide-win-best-picture',
} as const;

/** Verdicts of a real book, a real door for orders behind it, and folders of state. */
export class GuardWorld {
  readonly live: LiveVerdicts;
  readonly door: OrderDoor;
  /** What owners were told. */
  readonly warnings: string[] = [];
  home = '';

  private constructor(live: LiveVerdicts, door: OrderDoor) {
    this.live = live;
    this.door = door;
  }

  static async start(): Promise<GuardWorld> {
    const live = await startLiveVerdicts();
    const world = new GuardWorld(live, await startOrderDoor(live.venue.clobUrl));
    world.reset();
    return world;
  }

  /** New state, as on another machine. */
  reset(): void {
    this.home = join(tempFolder('guard'), 'state');
    this.warnings.length = 0;
    this.door.reset();
  }

  token(slug: keyof typeof SLUGS): string {
    return this.live.market(SLUGS[slug]).outcomes[0]!.tokenId;
  }

  /** The service, without the way to it. */
  readonly source: VerdictSource = {
    verdict: async (order) => fresh(await this.live.judge({ ...order })),
  };

  options(given: Partial<GuardOptions> = {}): GuardOptions {
    const onWarning = (text: string) => void this.warnings.push(text);
    return { preflight: this.source, perDayUsd: 1_000, home: this.home, onWarning, ...given };
  }

  async orders(official: OfficialClient, given: Partial<GuardOptions> = {}, raw?: object): Promise<OfficialOrders> {
    const client = raw ?? (await official.make(this.door.url));
    return official.ordersOf(guard(client, this.options(given)));
  }

  verdict(order: OrderInput): Promise<OrderVerdict> {
    return this.live.judge({ ...order });
  }

  /** A size that is CAUTION on the book as earlier orders have left it. */
  async cautionUsd(token: string): Promise<number> {
    for (let usd = 1_000; usd < 50_000; usd = Math.round(usd * 1.05)) {
      if ((await this.verdict({ token_id: token, side: 'BUY', usd })).verdict === 'CAUTION') return usd;
    }
    throw new Error('no size is CAUTION');
  }

  /** What entries claim now, in USD. */
  claimedUsd(): number {
    const folder = join(this.home, 'orders', 'default', 'claims');
    return Number(fileOrderClaims(folder, { nowMs: () => Date.now() }).claimedMicros()) / 1e6;
  }

  log<Kind extends GuardLine['kind']>(kind: Kind): readonly Extract<GuardLine, { readonly kind: Kind }>[] {
    const lines = readGuardLog(join(this.home, 'orders', 'default', 'log'), 0);
    return lines.filter((line) => line.kind === kind) as Extract<GuardLine, { readonly kind: Kind }>[];
  }

  async stop(): Promise<void> {
    await this.door.close();
    await this.live.stop();
  }
}

/** How a call of a client ended: its answer, or what it threw. */
export async function ended(
  work: Promise<unknown>,
): Promise<{ answer: unknown } | { error: Error & Record<string, unknown> }> {
  try {
    return { answer: await work };
  } catch (error) {
    return { error: error as Error & Record<string, unknown> };
  }
}
