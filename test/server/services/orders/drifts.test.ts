import { expect } from 'chai';
import fc from 'fast-check';
import type { HttpJson, JsonAnswer } from '#adapters/http-client/json';
import { createClobBooks } from '#adapters/polymarket/clob';
import { createGammaCatalog } from '#adapters/polymarket/gamma';
import { type OrderRequest, OrderRequestSchema } from '#api/order-request';
import type { OrderVerdict } from '#api/order-verdict';
import { OrderBook } from '#domain/book/order-book';
import { OutsideError, Problem } from '#domain/errors';
import type { ConditionId, TokenId } from '#domain/ids';
import { createMarkets } from '#services/orders/markets';
import { Verdicts } from '#services/orders/verdicts';
import { needCaptures, readCaptureLines } from '#test/support/captures';
import { DRIFTS, type Drift, drifted, fieldsIn } from '#test/support/drifts';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { VENUE_DRIFTS } from '#test/support/size';
import { hex64 } from '#test/support/trade-rows';
import { bookHash } from '#wire/polymarket/book-hash';
import { parseVenueTimeS } from '#wire/polymarket/venue-time';

type Json = Record<string, unknown>;
type Door = 'markets' | 'events' | 'book' | 'clob-markets';

/** What the venue says where a test asks it, and what it is asked. */
interface Told {
  readonly markets: readonly Json[];
  readonly events: readonly Json[];
  readonly asks: readonly Partial<OrderRequest>[];
}

const NOW_MS = Date.UTC(2026, 2, 1);

const row = (n: number, facts: Json = {}): Json => ({
  id: String(n),
  conditionId: hex64(n),
  slug: `market-${n}`,
  question: `Will number ${n} happen?`,
  outcomes: '["Yes", "No"]',
  clobTokenIds: `["${n}1", "${n}2"]`,
  active: true,
  closed: false,
  acceptingOrders: true,
  enableOrderBook: true,
  umaResolutionStatuses: '[]',
  orderMinSize: 5,
  orderPriceMinTickSize: 0.01,
  negRisk: false,
  negRiskOther: false,
  feesEnabled: true,
  feeType: 'politics_fees',
  feeSchedule: { rate: 0.04, exponent: 1, takerOnly: true, rebateRate: 0.25 },
  ...facts,
});

const V2 = {
  version: 'v2',
  conditionId: `0x${'cd'.repeat(31)}`,
  clobTokenIds: '["91", "92"]',
  positionIds: ['81', '82'],
};
const CHILDREN = ['No change', '25 bps decrease', '25 bps increase'].map((groupItemTitle, n) =>
  row(n + 3, { groupItemTitle }),
);
const { feeSchedule: _, ...GAME } = row(6, {
  outcomes: '["Lions", "Bears"]',
  secondsDelay: 1,
  gameStartTime: '2026-05-01 18:00:00+00',
});

const TOLD: readonly Told[] = [
  {
    markets: [row(1)],
    events: [],
    asks: [{ slug: 'market-1' }, { slug: 'market-1', outcome: 'No' }, { token_id: '11', side: 'SELL' }],
  },
  {
    markets: [row(2, { ...V2, resolutionStatus: 'inactive' })],
    events: [],
    asks: [{ slug: 'market-2' }, { token_id: '82' }],
  },
  {
    markets: [],
    events: [{ slug: 'rate-decision', title: 'Rates?', active: true, closed: false, markets: CHILDREN }],
    asks: [
      { slug: 'rate-decision' },
      { slug: 'rate-decision', outcome: 'No' },
      { slug: 'rate-decision', outcome: 'no change' },
      { slug: 'rate-decision', outcome: 'decrease' },
    ],
  },
  { markets: [GAME], events: [], asks: [{ slug: 'market-6', outcome: 'Bears' }, { slug: 'market-6' }] },
  {
    markets: [row(7, { umaResolutionStatus: 'proposed', umaResolutionStatuses: '["proposed"]' })],
    events: [],
    asks: [{ slug: 'market-7' }],
  },
  { markets: [row(8, { closed: true, acceptingOrders: false })], events: [], asks: [{ slug: 'market-8' }] },
];

/** One of so many of the recorded markets, each asked for by its first token. */
const STRIDE = 60;

function recorded(): readonly Told[] {
  const pages = readCaptureLines('gamma/active-markets-2026-03-11.part1.pages.jsonl.gz') as { markets: Json[] }[];
  // Of a game that was to be over the venue may leave out when.
  const isAhead = ({ gameStartTime }: Json) =>
    gameStartTime === undefined || (parseVenueTimeS(String(gameStartTime)) ?? 0) * 1e3 > NOW_MS;
  const rows = pages.flatMap(({ markets }) => markets).filter((one, n) => n % STRIDE === 0 && isAhead(one));
  return rows.map((one) => ({
    markets: [one],
    events: [],
    asks: [{ token_id: (JSON.parse(String(one.clobTokenIds)) as string[])[0]! }],
  }));
}

/** A whole book with the venue's hash: the same levels for each token. */
function bookOf(tokenId: string): Json {
  const facts = { minOrderSize: '5', tickSize: '0.01', negRisk: false, lastTradePrice: '0.49' };
  const levels = {
    bids: [
      [0.4, 900],
      [0.48, 700],
    ],
    asks: [
      [0.6, 400],
      [0.5, 900],
    ],
  } as const;
  const scaled = (side: readonly (readonly [number, number])[]) =>
    side.map(([price, size]) => ({ priceTicks: Math.round(price * 1e4), sizeMicros: size * 1e6 }));
  const ids = { conditionId: hex64(1) as ConditionId, tokenId: tokenId as TokenId, timestampMs: NOW_MS };
  const hash = bookHash({ ...facts, ...ids, bidsAscending: scaled(levels.bids), asksDescending: scaled(levels.asks) });
  const written = (side: readonly (readonly [number, number])[]) =>
    side.map(([price, size]) => ({ price: String(price), size: String(size) }));
  return {
    market: ids.conditionId,
    asset_id: tokenId,
    timestamp: String(NOW_MS),
    hash,
    bids: written(levels.bids),
    asks: written(levels.asks),
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price: '0.49',
  };
}

/** What the venue answers at a door. Its lists hold the open or the closed alone. */
function bodyOf({ markets, events }: Told, door: Door, path: string): unknown {
  const query = new URL(path, 'http://venue').searchParams;
  if (door === 'book') return bookOf(query.get('token_id')!);
  if (door === 'clob-markets') return termsOf(markets, path.split('/').at(-1)!);
  const token = query.get('clob_token_ids');
  const isRequested = (one: Json) =>
    one.closed === (query.get('closed') === 'true') &&
    (token === null
      ? one.slug === query.get('slug')
      : JSON.stringify(one.positionIds ?? one.clobTokenIds).includes(token));
  return (door === 'markets' ? markets : events).filter(isRequested);
}

/** The CLOB leaves out a fee that is none. */
function termsOf(markets: readonly Json[], condition: string): Json {
  const isFree = markets.some((one) => one.conditionId === condition && one.feesEnabled === false);
  return { c: condition, mos: 5, ao: true, ...(isFree ? {} : { fd: { r: 0.04, e: 1, to: true } }) };
}

type Spoil = (door: Door, body: unknown) => unknown;

/** Answers an order as the service does, on a venue whose answers are spoilt. */
async function ask(told: Told, order: Partial<OrderRequest>, spoil: Spoil): Promise<OrderVerdict | Problem> {
  const venue: HttpJson = {
    upstream: 'venue',
    get: async (path): Promise<JsonAnswer> => {
      const door = path.split(/[/?]/)[1] as Door;
      return { kind: 'ok', body: spoil(door, bodyOf(told, door, path)) };
    },
    post: () => Promise.reject(new Error('nothing is posted')),
    probe: async () => {},
    health: () => ({ name: 'venue', ok: true, lastOkAtMs: null, lastError: null }),
  };
  const clock = new ManualClock(NOW_MS);
  const books = createClobBooks({ clob: venue });
  const getBook = async (tokenId: TokenId, conditionId: ConditionId) => {
    const book = new OrderBook(tokenId, conditionId);
    const question = book.question(clock.elapsedMs());
    try {
      const snapshot = await books.fetchBook(tokenId, 'caller');
      if (snapshot === null) book.markUnlisted(question.requestedAtMs);
      else book.reconcile(snapshot, question);
      return { book, ageMs: 0 };
    } catch (error) {
      if (error instanceof OutsideError) return null;
      throw error;
    }
  };
  const verdicts = new Verdicts({
    markets: createMarkets({
      catalog: createGammaCatalog({ gamma: venue, clob: venue }),
      clock,
      timers: new ManualTimers(clock),
    }),
    books: { getBook, getCached: () => null, isCached: () => false },
    clock,
    evidenceOf: () => '{}',
    overtakenOf: () => null,
  });
  try {
    return JSON.parse((await verdicts.judge(OrderRequestSchema.parse(order))).text) as OrderVerdict;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** What a verdict is about and says, without the words that only name things. */
function said({ verdict, reason_codes, market, numbers }: OrderVerdict): string {
  const codes = reason_codes.filter((code) => code !== 'FEE_UNKNOWN' && code !== 'PASSED');
  const { fee_category: _, taker_fee_usd: _fee, fee_drag_cents_per_share: _drag, ...rest } = numbers;
  return JSON.stringify([verdict, codes, market.token_id, rest]);
}

const RESOLUTION = ['umaResolutionStatus', 'umaResolutionStatuses', 'resolutionStatus'];

/** What is wrong about an answer; null where nothing is. */
function faultOf(before: OrderVerdict | Problem, after: OrderVerdict | Problem, { path, how }: Drift): string | null {
  if (after instanceof Problem) {
    const isFree = after.code === 'venue_unavailable' || after.code === 'outcome_required';
    return isFree || (before instanceof Problem && before.code === after.code) ? null : after.message;
  }
  if (before instanceof Problem) return `a verdict where there was ${before.code}`;
  // A word that is new is a word: whatever it says, somebody has begun to resolve the market.
  const isWord = RESOLUTION.includes(String(path.at(-1))) && how.startsWith('another');
  if (isWord && after.reason_codes.includes('UNDER_RESOLUTION')) return null;
  if (said(before) !== said(after)) return `${said(after)} where there was ${said(before)}`;
  // A fee that was lost is the worst one, and the answer says so.
  const [was, is] = [before.numbers.taker_fee_usd, after.numbers.taker_fee_usd];
  const isTold = is === was || (is > was && after.reason_codes.includes('FEE_UNKNOWN'));
  return isTold ? null : `a fee of ${is} where there was ${was}`;
}

/** Asks, spoils one field and asks again, so often; throws at the first answer that is wrong. */
async function play(told: readonly Told[]): Promise<void> {
  const drift = fc.record({
    at: fc.nat({ max: told.length - 1 }),
    ask: fc.nat(),
    door: fc.constantFrom<Door[]>('markets', 'markets', 'events', 'book', 'clob-markets'),
    field: fc.nat(),
    how: fc.constantFrom(...DRIFTS),
    pick: fc.nat({ max: 41 }),
  });
  let playedCount = 0;
  await fc.assert(
    fc.asyncProperty(drift, async ({ at, ask: askAt, door, field, how, pick }) => {
      const one = told[at]!;
      const order = one.asks[askAt % one.asks.length]!;
      const before = await ask(one, order, (_door, body) => body);
      const played: Drift[] = [];
      const after = await ask(one, order, (asked, body) => {
        const paths = asked === door ? fieldsIn(body) : [];
        if (paths.length === 0) return body;
        played.push({ path: paths[field % paths.length]!, how, pick });
        return drifted(body, played.at(-1)!);
      });
      if (played.length === 0) return;
      playedCount++;
      const fault = faultOf(before, after, played[0]!);
      if (fault !== null) throw new Error(`${JSON.stringify(order)}, ${door} ${JSON.stringify(played[0])}: ${fault}`);
    }),
    { numRuns: VENUE_DRIFTS },
  );
  expect(playedCount).to.be.above(VENUE_DRIFTS / 3);
}

describe('an order verdict, while one field at the venue has another form', () => {
  it('is what it was, or is not given and free, whichever field and form it is', async function () {
    this.timeout(600_000);
    await play(TOLD);
  });

  it('is so for recorded markets too', async function () {
    this.timeout(600_000);
    needCaptures(this);
    await play(recorded());
  });
});
