import { parseTokenId, type TokenId, toConditionId } from '#domain/ids';
import { FEE_FREE, type Market, type MarketStatus, type VenueEvent } from '#domain/market';

export const OPEN_STATUS: MarketStatus = {
  active: true,
  closed: false,
  acceptingOrders: true,
  orderBookEnabled: true,
  umaResolutionStatus: '',
};

export function tokenId(text: string): TokenId {
  const id = parseTokenId(text);
  if (id === null) throw new Error(`${text} is not a token id`);
  return id;
}

/** A market whose tokens are `<number>1` and `<number>2`. */
export function sampleMarket(number: number, facts: Partial<Market> & { labels?: readonly string[] } = {}): Market {
  const { labels = ['Yes', 'No'], ...rest } = facts;
  return {
    conditionId: toConditionId(`0x${String(number).padStart(64, '0')}`),
    slug: `market-${number}`,
    question: `Will number ${number} win?`,
    groupItemTitle: null,
    outcomes: labels.map((label, index) => ({ label, tokenId: tokenId(`${number}${index + 1}`) })),
    minOrderShares: 5,
    negRisk: false,
    placeholder: false,
    status: OPEN_STATUS,
    fee: FEE_FREE,
    matchingDelayS: 0,
    gameDueMs: null,
    ...rest,
  };
}

/** An event of these markets, of which every row could be read and priced. */
export function sampleEvent(slug: string, markets: readonly Market[], facts: Partial<VenueEvent> = {}): VenueEvent {
  return { slug, title: '', markets, listedCount: markets.length, unreadableCount: 0, ...facts };
}
