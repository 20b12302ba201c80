import type { FeeSchedule, MarketStatus } from '#domain/market';
import { toFeeSchedule } from '#wire/polymarket/fee-schedule';

/** What the venue says of a market beside its book. */
export interface Terms {
  readonly fee: FeeSchedule;
  readonly minOrderShares: number;
}

/** Of every market that is asked about. */
export const OPEN: MarketStatus = {
  active: true,
  closed: false,
  acceptingOrders: true,
  orderBookEnabled: true,
  umaResolutionStatus: '',
};

/** Asks the venue's CLOB for the terms of a market. */
export async function fetchTerms(clobUrl: string, conditionId: string): Promise<Terms> {
  const response = await fetch(`${clobUrl}/clob-markets/${conditionId}`);
  const { fd, mos } = (await response.json()) as { fd?: { r: number; e: number }; mos: number };
  return { fee: toFeeSchedule(fd?.r ?? 0, fd?.e ?? 1, ''), minOrderShares: mos };
}
