import { type EventSpec, eventOfOne, FEES } from '../market/market-spec.js';

/** Each of these is ordinary but for one thing that a careful client must notice. */
export const edgeCaseEvents: readonly EventSpec[] = [
  eventOfOne(
    {
      slug: 'will-the-harbor-tunnel-open-by-june-30',
      question: 'Will the Harbor Tunnel open by June 30?',
      purpose: 'resolution proposed: still active and accepting orders on paper, but has no book',
      fee: FEES.general,
      standing: 'proposed',
    },
    { anchorTicks: 9800 },
    ['Infrastructure'],
  ),
  eventOfOne(
    {
      slug: 'did-arcadia-hold-a-referendum-in-2025',
      question: 'Did Arcadia hold a referendum in 2025?',
      purpose: 'closed and resolved to Yes; acceptingOrders is still true, as it happens on the venue',
      standing: 'resolved',
    },
    { anchorTicks: 9900 },
    ['Politics'],
  ),
  eventOfOne(
    {
      slug: 'will-the-long-tide-win-best-picture',
      question: 'Will "The Long Tide" win Best Picture?',
      purpose: 'thin book: a few hundred dollars and a wide spread',
      fee: FEES.culture,
    },
    { anchorTicks: 2300, spreadSteps: 5, levels: [2, 4], depthUsd: 260, restlessness: 0.1 },
    ['Culture', 'Awards'],
  ),
  eventOfOne(
    {
      slug: 'will-orbital-dynamics-announce-a-moon-lander-in-2026',
      question: 'Will Orbital Dynamics announce a moon lander in 2026?',
      purpose: 'one-sided book: bids only, nothing to buy',
      fee: FEES.tech,
    },
    { anchorTicks: 6200, levels: [8, 16], depthUsd: 4_000, sides: 'bids' },
    ['Tech', 'Space'],
  ),
  eventOfOne(
    {
      slug: 'will-the-arcadia-central-bank-hold-rates-in-july',
      question: 'Will the Arcadia central bank hold rates in July?',
      purpose: 'extreme price: 0.98 / 0.985 in 0.001 steps',
      fee: FEES.economics,
      tickSize: '0.001',
    },
    { anchorTicks: 9825, spreadSteps: 5, levels: [18, 40], depthUsd: 50_000, restlessness: 0.2 },
    ['Economy', 'Politics'],
  ),
  eventOfOne(
    {
      slug: 'will-the-meridian-100-close-above-9000-this-month',
      question: 'Will the Meridian 100 close above 9,000 this month?',
      purpose: 'deep book in 0.001 steps: over a hundred levels a side',
      fee: FEES.finance,
      tickSize: '0.001',
    },
    { anchorTicks: 5150, spreadSteps: 1, levels: [100, 140], depthUsd: 100_000, restlessness: 1 },
    ['Finance', 'Indices'],
  ),
  eventOfOne(
    {
      slug: 'will-it-snow-in-brightwater-in-december',
      question: 'Will it snow in Brightwater in December?',
      purpose: 'no feeSchedule on Gamma: the rate is only in /clob-markets',
      fee: FEES.weatherOnClobOnly,
    },
    { anchorTicks: 3800, spreadSteps: 2, depthUsd: 6_000 },
    ['Weather'],
  ),
  eventOfOne(
    {
      slug: 'will-the-coastal-rail-link-open-in-2026',
      question: 'Will the coastal rail link open in 2026?',
      purpose: 'price about 0.95: its price step changes to 0.001 when it passes 0.96',
      fee: FEES.general,
    },
    { anchorTicks: 9580, depthUsd: 15_000, restlessness: 0.5 },
    ['Infrastructure'],
  ),
];
