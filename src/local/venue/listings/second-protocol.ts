import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';

/** Markets of the second protocol: one that takes orders, one that the listing has not closed yet. */
export const secondProtocolEvents: readonly EventSpec[] = [
  eventOfOne(
    {
      slug: 'will-the-glasshouse-open-before-2027',
      question: 'Will the glasshouse open before 2027?',
      purpose: 'second protocol: positionIds, a condition id of 31 bytes',
      fee: FEES.culture,
      protocol: 'v2',
    },
    { anchorTicks: 6700, depthUsd: 18_000 },
    ['Culture'],
  ),
  eventOfOne(
    {
      slug: 'did-the-lantern-fair-draw-a-million-visitors',
      question: 'Did the Lantern Fair draw a million visitors?',
      purpose: 'second protocol, settled: listed as open and accepting orders, resolutionStatus resolved',
      fee: FEES.culture,
      protocol: 'v2',
      standing: 'settled',
    },
    { anchorTicks: 9900 },
    ['Culture'],
  ),
];
