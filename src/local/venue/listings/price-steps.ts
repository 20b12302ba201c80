import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';

/** A market for each price step but the two that most markets have. */
export const priceStepEvents: readonly EventSpec[] = [
  eventOfOne(
    {
      slug: 'will-fenwick-rename-its-market-square-this-year',
      question: 'Will Fenwick rename its market square this year?',
      purpose: 'price steps of 0.1: nine prices in all',
      fee: FEES.general,
      tickSize: '0.1',
    },
    { anchorTicks: 4500, levels: [2, 4], depthUsd: 3_000, restlessness: 0.15 },
    ['Local'],
  ),
  eventOfOne(
    {
      slug: 'cup-arc-nor-2026-07-19-arc',
      question: 'Will Arcadia beat Northgate?',
      purpose: 'price steps of 0.0025, secondsDelay 1: a cup game',
      fee: FEES.sports,
      tickSize: '0.0025',
      secondsDelay: 1,
      sportsMarketType: 'moneyline',
    },
    { anchorTicks: 5825, spreadSteps: 2, levels: [30, 50], depthUsd: 70_000, restlessness: 0.8 },
    ['Sports', 'Football', 'Cup'],
  ),
  eventOfOne(
    {
      slug: 'will-northgate-win-the-cup',
      question: 'Will Northgate win the cup?',
      purpose: 'price steps of 0.005',
      fee: FEES.sports,
      tickSize: '0.005',
    },
    { anchorTicks: 1850, depthUsd: 25_000 },
    ['Sports', 'Football', 'Cup'],
  ),
  eventOfOne(
    {
      slug: 'will-a-comet-be-seen-from-brightwater-this-week',
      question: 'Will a comet be seen from Brightwater this week?',
      purpose: 'price steps of 0.0001, a price about 0.004',
      fee: FEES.general,
      tickSize: '0.0001',
    },
    { anchorTicks: 40, spreadSteps: 3, levels: [14, 26], depthUsd: 1_500 },
    ['Weather', 'Space'],
  ),
];
