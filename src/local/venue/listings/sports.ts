import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';

const MONEYLINE = { secondsDelay: 3, sportsMarketType: 'moneyline' } as const;

/**
 * Moneylines: named outcomes, three seconds of matching delay, and both fee rates that are live.
 */
export const sportsEvents: readonly EventSpec[] = [
  eventOfOne(
    {
      slug: 'mlb-hbr-rvt-2026-07-18',
      question: 'Harbor City Herons vs. Riverton Royals',
      purpose: 'sports moneyline: secondsDelay 3, fee 0.05, outcomes are team names',
      outcomes: ['Harbor City Herons', 'Riverton Royals'],
      fee: FEES.sports,
      ...MONEYLINE,
    },
    { anchorTicks: 5600, depthUsd: 60_000, restlessness: 0.6 },
    ['Sports', 'Baseball', 'MLB'],
    'mlb',
  ),
  eventOfOne(
    {
      slug: 'nba-kgs-oak-2026-06-30',
      question: 'Kingsport Kestrels vs. Oakvale Owls',
      purpose: 'sports market from before 10 July 2026 that keeps the old fee 0.03',
      outcomes: ['Kingsport Kestrels', 'Oakvale Owls'],
      fee: FEES.sportsBeforeJuly2026,
      ...MONEYLINE,
    },
    { anchorTicks: 3300, depthUsd: 22_000, restlessness: 0.5 },
    ['Sports', 'Basketball', 'NBA'],
    'nba',
  ),
];
