import { type BookShape, type EventSpec, eventOfOne, type MarketSpec, yesNoMarket } from '../market/market-spec.js';

/** Elections and parliaments of countries that do not exist, and one fee-free ceasefire. */
export const politicsEvents: readonly EventSpec[] = [
  eventOfOne(
    {
      slug: 'will-arcadia-call-a-snap-election-by-december-31',
      question: 'Will Arcadia call a snap election by December 31?',
      purpose: 'binary politics, fee 0.04; event and market share one slug',
    },
    { anchorTicks: 4200, depthUsd: 45_000 },
    ['Politics', 'World Elections'],
  ),
  {
    slug: 'arcadia-budget-2027',
    title: 'Arcadia 2027 budget',
    negRisk: false,
    tags: ['Politics'],
    markets: [
      yesNoMarket(
        {
          slug: 'will-parliament-pass-the-arcadia-budget-before-october',
          question: 'Will parliament pass the Arcadia budget before October?',
          purpose: 'single-market event whose slug differs from its market slug',
        },
        { anchorTicks: 7100, depthUsd: 12_000 },
      ),
    ],
  },
  {
    slug: 'arcadia-presidential-election-winner',
    title: 'Arcadia Presidential Election Winner',
    negRisk: true,
    tags: ['Politics', 'World Elections'],
    markets: [
      candidate('Ada Marlowe', { anchorTicks: 4500, depthUsd: 80_000 }),
      candidate('Benedict Okoro', { anchorTicks: 2700, depthUsd: 60_000 }),
      candidate('Clara Voss', { anchorTicks: 1500, depthUsd: 25_000 }),
      candidate('Clarence Hale', { anchorTicks: 800, depthUsd: 9_000 }),
      candidate('Person A', {}, 'placeholder'),
      candidate('Person B', {}, 'placeholder'),
      candidate('Other', { anchorTicks: 300, depthUsd: 3_000 }, 'other'),
    ],
  },
  eventOfOne(
    {
      slug: 'will-the-northgate-ceasefire-hold-through-2026',
      question: 'Will the Northgate ceasefire hold through 2026?',
      purpose: 'geopolitics: fee-free (feesEnabled false, feeType null, no fd)',
      fee: null,
    },
    { anchorTicks: 6400, depthUsd: 30_000 },
    ['Geopolitics', 'World'],
  ),
];

function candidate(name: string, shape: Partial<BookShape>, standing: MarketSpec['standing'] = 'open'): MarketSpec {
  const dashed = name.toLowerCase().replaceAll(' ', '-');
  const purposes = {
    placeholder: 'negRisk placeholder: inactive, names no candidate, never a target',
    other: 'negRisk "Other": has a book, never a target',
    open: 'one outcome of a multi-outcome negRisk event',
  } as const;
  return yesNoMarket(
    {
      slug: `will-${dashed}-win-the-arcadia-presidential-election`,
      question: `Will ${name} win the Arcadia presidential election?`,
      purpose: standing === 'placeholder' || standing === 'other' ? purposes[standing] : purposes.open,
      groupItemTitle: name,
      tickSize: '0.001',
      standing,
    },
    { spreadSteps: 2, ...shape },
  );
}
