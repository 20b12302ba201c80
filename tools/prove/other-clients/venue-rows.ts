import { systemClock } from '#adapters/process/system-clock';
import { type LocalMarket, type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import {
  ChannelClient,
  getJson,
  type Json,
  marketBySlug,
  NaiveBook,
  tokensOf,
} from '#test/local/support/venue-harness';
import { drive, hold, type Row, type RowWorld } from './row.js';

const OFFICIAL = '@polymarket/client';
const CLOB_CLIENT = '@polymarket/clob-client-v2';
const LIVE_FEED = '@polymarket/real-time-data-client';
const CCXT = 'ccxt';

const STEP_MS = 50;
const EVENTS = 40;
const FEED_TRADES = 10;
/** One of each protocol, and two price steps that few clients of before knew. */
const SLUGS = ['snap-election', 'glasshouse', 'cup-arc-nor', 'comet'];
/** What a client that knows no `positionIds` can be asked about. */
const SLUGS_OF_FIRST = SLUGS.filter((slug) => slug !== 'glasshouse');

interface Reading {
  readonly world: RowWorld;
  readonly npm: string;
  readonly venue: LocalVenue;
}

/** Lets a client read the venue: the same venue, which stands still but for `step`. */
async function withVenue(work: (venue: LocalVenue) => Promise<string>): Promise<string> {
  const venue = await startLocalVenue({ clock: systemClock, tickMs: 0 });
  try {
    return await work(venue);
  } finally {
    await venue.close();
  }
}

function read<Came>({ world, npm, venue }: Reading, what: string, market: LocalMarket, count = 0): Promise<Came> {
  const { slug, conditionId } = market;
  const url = {
    gamma: venue.gammaUrl,
    clob: venue.clobUrl,
    data: venue.dataUrl,
    ws: venue.wsUrl,
    rtds: venue.rtdsUrl,
  };
  const named = { slug, conditionId, tokenId: tokensOf(market)[0] };
  const user = venue.exampleWallets.find(({ role }) => role === 'fee-fragile')!.address;
  return drive<Came>(world.dir, 'venue.mjs', { name: npm, what, url, market: named, user, count });
}

/** What the venue holds of a market, as its own REST tells it. */
async function held(venue: LocalVenue, market: LocalMarket) {
  const [book, info] = await Promise.all([
    getJson(`${venue.clobUrl}/book?token_id=${tokensOf(market)[0]}`),
    getJson(`${venue.clobUrl}/clob-markets/${market.conditionId}`),
  ]);
  const levels = (side: Json[]) => side.map(({ price, size }) => [Number(price), Number(size)]);
  return { book: { bids: levels(book.bids), asks: levels(book.asks) }, hash: book.hash, tick: info.mts, fee: info.fd };
}

const same = (a: unknown, b: unknown, what: string) =>
  hold(JSON.stringify(a) === JSON.stringify(b), `${what} differs: ${JSON.stringify(a)?.slice(0, 120)}`);

/** Reads the terms of some markets, and compares what all clients tell. */
async function readTerms(
  reading: Reading,
  slugs: readonly string[],
  compare: (came: Json, truth: Awaited<ReturnType<typeof held>>, market: LocalMarket) => void,
): Promise<void> {
  for (const slug of slugs) {
    const market = marketBySlug(reading.venue, slug);
    const came = await read<Json>(reading, 'terms', market);
    const truth = await held(reading.venue, market);
    same(came.book, truth.book, `the book of ${slug}`);
    compare(came, truth, market);
  }
}

/** Steps a venue while somebody watches it. */
async function whileItMoves<Came>(venue: LocalVenue, watching: Promise<Came>, slug?: string): Promise<Came> {
  const timer = setInterval(() => venue.step(1, slug), STEP_MS);
  try {
    return await watching;
  } finally {
    clearInterval(timer);
  }
}

/** Watches a market with the client and a socket of our own beside it. */
async function watch<Came>(reading: Reading, slug: string): Promise<{ came: Came; messages: Json[]; token: string }> {
  const { venue } = reading;
  const market = marketBySlug(venue, slug);
  const token = tokensOf(market)[0];
  const ours = await ChannelClient.subscribed(venue.wsUrl, [token], { custom_feature_enabled: true });
  const came = await whileItMoves(venue, read<Came>(reading, 'channel', market, EVENTS), market.slug);
  await ours.settle();
  ours.close();
  return { came, messages: ours.messages(), token };
}

/** All tops that a book had, message by message. */
function topsOf(messages: readonly Json[], token: string): Set<string> {
  const book = new NaiveBook();
  const tops = new Set<string>();
  for (const message of messages) {
    if (message.event_type === 'book' && message.asset_id === token) book.takeBook(message);
    for (const entry of message.price_changes ?? []) if (entry.asset_id === token) book.takeChange(entry, '');
    const top = (['BUY', 'SELL'] as const).map((side) => Number(book.levels(side).at(-1)?.price));
    tops.add(JSON.stringify(top));
  }
  return tops;
}

async function heldTrades(venue: LocalVenue, query: string): Promise<unknown[][]> {
  const rows: Json[] = await getJson(`${venue.dataUrl}/trades?${query}`);
  return rows.map(({ transactionHash, price, size }) => [transactionHash, price, size]);
}

const venueRow = (npm: string, tries: string, run: (reading: Reading) => Promise<string>): Row => ({
  client: npm,
  npm,
  tries: `reads the local venue: ${tries}`,
  run: (world) => withVenue((venue) => run({ world, npm, venue })),
});

/** What came of orders that both clients send. */
interface Traded {
  readonly statuses: readonly string[];
  /** Of the two that rest. */
  readonly ids: readonly string[];
  readonly shares: number;
  readonly refusal: string;
  readonly open: readonly string[];
  readonly cancelled: readonly string[];
  readonly maker: string;
}

async function trade(reading: Reading): Promise<string> {
  const market = marketBySlug(reading.venue, 'snap-election');
  const { statuses, ids, shares, refusal, open, cancelled, maker } = await read<Traded>(reading, 'orders', market);
  same(statuses, ['matched', 'matched', 'live', 'live'], 'what became of the orders');
  hold(refusal.startsWith('invalid post-only order: order crosses book'), `it was refused with "${refusal}"`);
  same(open.toSorted(), ids.toSorted(), 'the list of open orders');
  same(cancelled.toSorted(), ids.toSorted(), 'what was cancelled');
  const rows: Json[] = await getJson(`${reading.venue.dataUrl}/trades?user=${maker}`);
  hold(
    rows.some(({ side, size }) => side === 'BUY' && size === shares),
    'the public trades do not have the BUY',
  );
  return 'a FOK and a FAK filled, a GTC and a GTD open and cancelled, a post-only that crosses refused, fills public';
}

export const VENUE_ROWS: readonly Row[] = [
  venueRow(OFFICIAL, 'makes a key, trades, rests and cancels', trade),
  venueRow(CLOB_CLIENT, 'makes a key, trades, rests and cancels', trade),
  venueRow(OFFICIAL, 'a market, its book, fee and price step, of both protocols', async (reading) => {
    await readTerms(reading, SLUGS, ({ listed, info, tick, hash }, truth, market) => {
      same([tick, hash], [truth.tick, truth.hash], 'price step or hash');
      same([info.feeInfo.rate, info.feeInfo.exponent], [truth.fee.r, truth.fee.e], 'the fee');
      same(listed.conditionId, market.conditionId, 'the condition');
      const { yes, no } = listed.outcomes;
      const ids = listed.positionIds.length > 0 ? listed.positionIds : [yes.tokenId, no.tokenId];
      same(ids, tokensOf(market), 'tokens');
    });
    return `${SLUGS.length} markets as they are held`;
  }),
  venueRow(OFFICIAL, 'watches the market channel', async (reading) => {
    const { came, messages, token } = await watch<Json[]>(reading, 'glasshouse');
    const hashes = new Set(
      messages.flatMap(({ asset_id, hash, price_changes = [] }) => [
        ...(asset_id === token ? [hash] : []),
        ...price_changes.filter((entry: Json) => entry.asset_id === token).map((entry: Json) => entry.hash),
      ]),
    );
    const hashed = came.filter(({ hash }) => hash !== undefined);
    hold(hashed.length > EVENTS / 2, `only ${hashed.length} of its events have a hash`);
    for (const { hash } of hashed) hold(hashes.has(hash), `hash ${hash} was never sent`);
    return `${came.length} events, as our own socket heard them`;
  }),
  venueRow(OFFICIAL, 'trades of a market, the activity of a wallet, combos among it', async (reading) => {
    const market = marketBySlug(reading.venue, 'snap-election');
    const { ofMarket, activity } = await read<Json>(reading, 'trades', market);
    same(ofMarket, await heldTrades(reading.venue, `market=${market.conditionId}&limit=50`), 'the list of trades');
    const combos = activity.filter(({ isCombo }: Json) => isCombo === true);
    hold(combos.length > 0, 'it found no combo');
    for (const { conditionId } of combos) hold(/^0x03[0-9a-f]{60}$/.test(conditionId), `${conditionId} is no combo`);
    return `${ofMarket.length} trades, and ${combos.length} combos among ${activity.length} rows`;
  }),
  venueRow(CLOB_CLIENT, 'a book and its hash, price step, fee and terms, of both protocols', async (reading) => {
    await readTerms(reading, SLUGS, (came, truth, market) => {
      same([came.tick, came.hash, came.same], [truth.tick, truth.hash, true], 'price step, hash or list of books');
      same(came.computed, truth.hash, 'the hash that it computes');
      same(came.info.fd, truth.fee, 'the fee');
      same(came.condition_id, market.conditionId, 'the condition');
    });
    return `${SLUGS.length} markets as they are held, and it computes the same hashes; it has no channel`;
  }),
  venueRow(LIVE_FEED, 'receives trades', async (reading) => {
    const { venue } = reading;
    const came = await whileItMoves(
      venue,
      read<unknown[]>(reading, 'trades', marketBySlug(venue, 'snap-election'), FEED_TRADES),
    );
    const all = new Set((await heldTrades(venue, 'limit=10000')).map((row) => JSON.stringify(row)));
    for (const row of came) hold(all.has(JSON.stringify(row)), `${JSON.stringify(row)} is no trade of the Data API`);
    return `${came.length} trades, as the Data API lists them`;
  }),
  venueRow(CCXT, 'a book and a price step, of the first protocol', async (reading) => {
    await readTerms(reading, SLUGS_OF_FIRST, ({ outcome, fee }, { tick }) => {
      same([outcome.precision.price, fee.taker], [tick, 0.1], 'price step or `base_fee`');
    });
    const second = read(reading, 'terms', marketBySlug(reading.venue, 'glasshouse'));
    const isFound = await second.then(
      () => true,
      () => false,
    );
    hold(!isFound, 'it finds the second protocol too');
    return 'it finds none of the second, and takes the relic `base_fee` for the fee: 0.1 in place of 0.04 or 0.05';
  }),
  venueRow(CCXT, 'watches a book', async (reading) => {
    const { came, messages, token } = await watch<unknown[]>(reading, 'snap-election');
    const tops = topsOf(messages, token);
    for (const top of came) hold(tops.has(JSON.stringify(top)), `it showed ${JSON.stringify(top)}, which never was`);
    return `${came.length} books, whose best prices our own socket had`;
  }),
  venueRow(CCXT, 'trades of a token', async (reading) => {
    const market = marketBySlug(reading.venue, 'snap-election');
    const { ofMarket } = await read<{ ofMarket: unknown[][] }>(reading, 'trades', market);
    const rows: Json[] = await getJson(`${reading.venue.dataUrl}/trades?market=${market.conditionId}&limit=500`);
    const ofToken = rows.filter(({ asset }) => asset === tokensOf(market)[0]);
    const expected = ofToken.map(({ transactionHash, price, size }) => [transactionHash, price, size]);
    same(ofMarket.toSorted(), expected.toSorted(), 'the list of trades');
    return `${ofMarket.length} trades`;
  }),
];
