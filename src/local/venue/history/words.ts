import type { Random } from '#system/random';
import { tagSlug } from '../frames/listing-frames.js';
import { FEES, type FeeSpec, type MarketSpec } from '../market/market-spec.js';
import { between, pick } from '../market/seeded-random.js';
import { dateText, monthDay } from './calendar.js';
import type { EventKind } from './planned-market.js';

type MarketWords = Pick<MarketSpec, 'slug' | 'question' | 'groupItemTitle' | 'outcomes'> &
  Partial<Pick<MarketSpec, 'sportsMarketType'>>;

/**
 * How an event and its markets are called, and what they charge. As many markets as the kind ever
 * has.
 */
export interface EventWords {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly fee: FeeSpec | null;
  readonly seriesSlug?: string;
  readonly markets: readonly MarketWords[];
}

/** What names an event. */
export interface Naming {
  readonly kind: EventKind;
  readonly day: number;
  readonly slot: number;
  readonly endDay: number;
  readonly startS: number;
  readonly random: Random;
}

/** Returns the words for an event. Slugs are unique: they carry the day. */
export function wordsOf(naming: Naming): EventWords {
  switch (naming.kind) {
    case 'game':
    case 'derby':
    case 'upset':
      return gameWords(naming);
    case 'crypto':
      return cryptoWords(naming);
    case 'upDown':
      return upDownWords(naming);
    default:
      return topicWords(naming);
  }
}

const LEAGUES = ['cbl', 'hfl', 'derby', 'upset'] as const;
const TEAMS = [
  ['hbr', 'Harbor City Herons'],
  ['rvt', 'Riverton Royals'],
  ['kgs', 'Kingsport Kestrels'],
  ['oak', 'Oakvale Owls'],
  ['mlw', 'Marlowe Mariners'],
  ['brw', 'Brightwater Bears'],
  ['sty', 'Stonebury Stags'],
  ['lth', 'Lathorn Lynx'],
] as const;

function gameWords({ kind, day, slot, random }: Naming): EventWords {
  const league = kind === 'game' ? LEAGUES[slot] : kind;
  const home = between(random, 0, TEAMS.length - 1);
  const [first, second] = [TEAMS[home], TEAMS[(home + between(random, 1, TEAMS.length - 1)) % TEAMS.length]];
  if (first === undefined || second === undefined) throw new Error('the table of teams has gaps');
  // The day of listing, not of the game, keeps two games of the same teams apart.
  const slug = `${league}-${first[0]}-${second[0]}-${dateText(day + 1)}`;
  const title = `${first[1]} vs. ${second[1]}`;
  const total = between(random, 5, 12);
  const markets: MarketWords[] = [
    { slug, question: title, groupItemTitle: '', outcomes: [first[1], second[1]], sportsMarketType: 'moneyline' },
    line(slug, `total-${total}pt5`, `${title}: O/U ${total}.5`, ['Over', 'Under'], 'totals'),
    line(slug, 'spread-home-1pt5', `Spread: ${first[1]} (-1.5)`, [first[1], second[1]], 'spreads'),
    line(slug, 'first-half', `${title}: 1H Winner`, [first[1], second[1]], 'first_half_moneyline'),
  ];
  return { slug, title, tags: ['Sports', 'Games'], fee: FEES.sports, seriesSlug: `${league}`, markets };
}

function line(event: string, part: string, question: string, outcomes: [string, string], type: string): MarketWords {
  return { slug: `${event}-${part}`, question, groupItemTitle: question, outcomes, sportsMarketType: type };
}

const COINS: readonly [Coin, ...Coin[]] = [
  { coin: 'Bitcoin', base: 110_000 },
  { coin: 'Ethereum', base: 4_200 },
  { coin: 'Solana', base: 190 },
];

interface Coin {
  readonly coin: string;
  /** About what one costs, in USD. */
  readonly base: number;
}

const THOUSANDS = new Intl.NumberFormat('en-US');

function cryptoWords({ day, endDay, random }: Naming): EventWords {
  const { coin, base } = pick(random, COINS);
  const title = `What will ${coin} be above on ${monthDay(endDay)}?`;
  const slug = `${coin.toLowerCase()}-above-on-${dateText(endDay)}-listed-${dateText(day)}`;
  const markets = [0.95, 1, 1.05].map((factor) => {
    const level = THOUSANDS.format(Math.round(base * factor));
    const question = `Will the price of ${coin} be above $${level} on ${monthDay(endDay)}?`;
    return yesNo(`${slug}-${level.replaceAll(',', '')}`, question, `$${level}`);
  });
  return { slug, title, tags: ['Crypto', coin], fee: FEES.crypto, markets };
}

const MONTHS_ET = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', month: 'long', day: 'numeric' });
const HOURS_ET = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric' });

function upDownWords({ day, slot, startS }: Naming): EventWords {
  const dayEt = MONTHS_ET.format(startS * 1_000);
  const hourEt = HOURS_ET.format(startS * 1_000).replace(/\s/g, '');
  const hourly = slot === 0;
  const coin = slot === 1 ? 'btc' : 'eth';
  const year = dateText(day).slice(0, 4);
  const hourlySlug = `bitcoin-up-or-down-${tagSlug(dayEt)}-${year}-${hourEt.toLowerCase()}-et`;
  const slug = hourly ? hourlySlug : `${coin}-updown-15m-${startS}`;
  const question = hourly
    ? `Bitcoin Up or Down - ${dayEt}, ${hourEt} ET`
    : `${coin.toUpperCase()} Up or Down - ${dayEt}`;
  const seriesSlug = hourly ? 'btc-up-or-down-hourly' : `${coin}-up-or-down-15m`;
  const markets: MarketWords[] = [{ slug, question, groupItemTitle: '', outcomes: ['Up', 'Down'] }];
  return { slug, title: question, tags: ['Crypto', 'Up or Down'], fee: FEES.crypto, seriesSlug, markets };
}

/** Subjects of the slower markets: what is asked, under which tag, and what trading costs. */
const TOPICS = {
  other: [
    ['Will "The Long Tide" lead the box office', 'Culture', FEES.culture],
    ['Will Arcadia inflation come in above 3%', 'Economy', FEES.economics],
    ['Will Orbital Dynamics ship its new model', 'Tech', FEES.tech],
    ['Will it rain more than 40 mm in Brightwater', 'Weather', FEES.weatherOnClobOnly],
    ['Will the Meridian 100 close higher', 'Finance', FEES.finance],
    ['Will the premier say "harbor" in the address', 'Mentions', { ...FEES.tech, type: 'mentions_fees' }],
  ],
  politics: [
    ['Will the Arcadia budget pass', 'Politics', FEES.politics],
    ['Will Premier Marlowe stay ahead in the polls', 'Politics', FEES.politics],
    ['Will the Riverton council approve the rail levy', 'Politics', FEES.politics],
  ],
  byDate: [
    ['Will Arcadia and Lathorn sign a border accord', 'Geopolitics', null],
    ['Will the Stonebury strait reopen', 'Geopolitics', null],
    ['Will the minister of ports resign', 'Politics', FEES.politics],
  ],
  longRun: [
    ['Will Lathorn join the northern union', 'Geopolitics', null],
    ['Will the harbor bridge be finished', 'Infrastructure', FEES.general],
  ],
} as const satisfies Partial<Record<EventKind, readonly (readonly [string, string, FeeSpec | null])[]>>;

const VARIANTS = ['in Arcadia', 'in Riverton', 'in Kingsport', 'in Oakvale'] as const;

function topicWords({ kind, day, endDay, random }: Naming): EventWords {
  const topics = TOPICS[kind as keyof typeof TOPICS];
  const [subject, tag, fee] = topics[between(random, 0, topics.length - 1)] ?? topics[0];
  const link = kind === 'byDate' || kind === 'longRun' ? 'by' : 'before the end of';
  const title = `${subject} ${link} ${monthDay(endDay)}?`;
  const slug = `${slugOf(title)}-listed-${dateText(day)}`;
  const markets = VARIANTS.map((place) => {
    const question = `${subject} ${place} ${link} ${monthDay(endDay)}?`;
    return yesNo(`${slugOf(question)}-listed-${dateText(day)}`, question, place);
  });
  return { slug, title, tags: [tag], fee, markets };
}

function yesNo(slug: string, question: string, groupItemTitle: string): MarketWords {
  return { slug, question, groupItemTitle, outcomes: ['Yes', 'No'] };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
