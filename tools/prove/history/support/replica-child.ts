import { systemClock } from '#adapters/process/system-clock';
import { compose } from '#compose/compose';
import { readConfig } from '#config/config';
import type { WalletAddress } from '#domain/ids';
import { createLogger } from '#server/log';

/** What a replica is told beside its door, and what it answers. */
export type Order =
  | {
      readonly id: number;
      readonly order: 'grant';
      readonly wallet: WalletAddress;
      readonly credits: number;
      readonly note: string;
    }
  | { readonly id: number; readonly order: 'set clock'; readonly aheadMs: number };

export type OrderAnswer =
  | { readonly id: number; readonly balance: number | null }
  | { readonly id: number; readonly refused: string };

/**
 * The whole service as a replica: configured by its environment alone. Over IPC an operator gives
 * credits, and sets the wall clock of this process.
 */
const VALID_DAYS = 300;
const { nowMs } = systemClock;
const service = await compose(readConfig(process.env), createLogger('warn', process.stderr));
const { port } = await service.start();

process.on('message', async (order: Order) => {
  const answer = (facts: object) => process.send?.({ id: order.id, ...facts });
  if (order.order === 'set clock') {
    systemClock.nowMs = () => nowMs() + order.aheadMs;
    answer({ balance: null });
    return;
  }
  try {
    const { balance } = await service.credits.grant(order.wallet, order.credits, VALID_DAYS, order.note);
    answer({ balance });
  } catch (error) {
    answer({ refused: String(error) });
  }
});
process.once('disconnect', () => process.exit());
process.send?.({ port });
