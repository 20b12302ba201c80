import { parseTradesV1 } from '#wire/polymarket/data-api-v1';
import { parseResolutionsV2, parseTradesV2 } from '#wire/polymarket/data-api-v2';
import { parseRtdsFrame } from '#wire/polymarket/rtds';
import type { ParsedTrades } from '#wire/polymarket/trade-row';
import { type Answer, NotAsked } from '../asker.js';
import { fieldsOf } from '../rest-books.js';
import { differing, each, holding, type Seen, shown, tally, unseen } from '../seen.js';
import { type Assumption, ofList, refusal, summaryOf } from './assumption.js';
import { skewOf } from './skew.js';

const ACTIVITY_TYPES = new Set<unknown>([
  ...['TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION', 'REWARD', 'MAKER_REBATE', 'TAKER_REBATE'],
  ...['REFERRAL_REWARD', 'YIELD', 'DEPOSIT', 'WITHDRAWAL', 'TIP', 'MIGRATION'],
]);
const COMBO = /^COMBO_/;
const NO_OUTCOME = 999;
/** Trades appear after about 22 s; there are some in each second. */
const FEED_AGE_MS_MAX = 120_000;
/** Some are decided and not yet reported. */
const ENDED_TOLERATED = 0.1;

/** What the service takes for granted of the Data API and the live feed. */
export const TRADES: readonly Assumption[] = [
  {
    id: 62,
    text: 'every row of `/v2/trades` can be read',
    asked: 'Data API `/v2/trades?taker_only=false`',
    check: async ({ trades }) => {
      const answer = await trades.feed();
      return readRows(parseTradesV2(answer.body), answer);
    },
  },
  {
    id: 63,
    text: 'the newest trade comes first',
    asked: 'Data API `/v2/trades?taker_only=false`',
    check: async (venue) => {
      const times = (await rowsV2(venue.trades.feed)).map(({ timestamp }) => Number(timestamp));
      return each(times, 'rows', (time, i) =>
        i > 0 && time > times[i - 1]! ? 'one is newer than the one before' : null,
      );
    },
  },
  {
    id: 64,
    text: 'with its cursor and the same filters a feed goes on behind its page',
    asked: 'Data API `/v2/trades?cursor=`',
    check: async ({ trades }) => {
      const first = await rowsV2(trades.feed);
      const answer = await trades.nextPage();
      const next = pageRows(answer);
      if (next === null) return differing(summaryOf(answer));
      const oldest = Number(first.at(-1)?.timestamp);
      if (JSON.stringify(next) === JSON.stringify(first)) return differing('the same page once more');
      return each(next, 'rows of the next page', ({ timestamp }) =>
        Number(timestamp) <= oldest ? null : 'one is newer than the page before',
      );
    },
  },
  {
    id: 65,
    text: 'a limit above 1,000 is 400',
    asked: 'Data API `/v2/trades?limit=1001`',
    check: async ({ trades }) => refusal(await trades.beyondLimit(), 400),
  },
  {
    id: 66,
    text: 'the second version takes no offset: 400',
    asked: 'Data API `/v2/trades?offset=1`',
    check: async ({ trades }) => refusal(await trades.byOffset(), 400),
  },
  {
    id: 67,
    text: '`taker_only=false` lists makers beside takers',
    asked: 'Data API `/v2/trades?taker_only=false`',
    check: async ({ trades }) => {
      const wallets = new Map<unknown, Set<unknown>>();
      for (const row of await rowsV2(trades.feed)) {
        const own = wallets.get(row.transaction_hash) ?? new Set();
        wallets.set(row.transaction_hash, own.add(row.proxy_wallet));
      }
      const shared = [...wallets.values()].filter(({ size }) => size > 1).length;
      const seen = `${shared} of ${wallets.size} transactions with several wallets`;
      if (wallets.size === 0) return unseen('no rows');
      return shared > 0 ? holding(seen) : differing(seen);
    },
  },
  {
    id: 68,
    text: 'a wallet that never traded is 200 with no rows',
    asked: 'Data API `/v2/trades?user=`',
    check: async ({ trades }) => {
      const answer = await trades.unknownWallet();
      const page = parseTradesV2(answer.body);
      return answer.status === 200 && page?.rows === 0 ? holding('no rows') : differing(summaryOf(answer));
    },
  },
  {
    id: 69,
    text: 'a trade is in the feed within two minutes',
    asked: 'Data API `/v2/trades`, and CLOB `/time`',
    check: async (venue) => {
      const newestS = Math.max(...(await rowsV2(venue.trades.feed)).map(({ timestamp }) => Number(timestamp)));
      if (!Number.isFinite(newestS)) return unseen('no rows');
      const ageMs = venue.clock.nowMs() + (await skewOf(venue)) - newestS * 1_000;
      const seen = `the newest is ${Math.round(ageMs / 1_000)} s old`;
      return ageMs <= FEED_AGE_MS_MAX ? holding(seen) : differing(seen);
    },
  },
  {
    id: 70,
    text: 'every row of `/trades` can be read',
    asked: 'Data API `/trades?takerOnly=false`',
    check: async ({ trades }) => {
      const answer = await trades.firstVersion();
      return readRows(parseTradesV1(answer.body), answer);
    },
  },
  {
    id: 71,
    text: 'an offset above 10,000 is 400',
    asked: 'Data API `/trades?offset=10001`',
    check: async ({ trades }) => refusal(await trades.beyondOffset(), 400),
  },
  {
    id: 72,
    text: 'the types of an activity are known',
    asked: 'Data API `/activity?user=`',
    check: async ({ trades }) => {
      return ofList(await trades.activity(), (rows) => {
        const types = rows.map((row) => fieldsOf(row).type);
        const isKnown = (type: unknown) => ACTIVITY_TYPES.has(type) || COMBO.test(String(type));
        const seen = each(types, 'rows', (type) => (isKnown(type) ? null : shown(type)));
        return seen.holds === 'yes' ? holding(tally(types.map(String))) : seen;
      });
    },
  },
  {
    id: 73,
    text: 'what is no trade has outcome 999, no token and no side',
    asked: 'Data API `/activity?type=REWARD,MAKER_REBATE`',
    check: async ({ trades }) => {
      return ofList(await trades.credits(), (rows) =>
        each(rows.map(fieldsOf), 'rewards and rebates', ({ outcomeIndex, asset, side }) =>
          outcomeIndex === NO_OUTCOME && asset === '' && side === '' ? null : shown({ outcomeIndex, asset, side }),
        ),
      );
    },
  },
  {
    id: 74,
    text: 'a resolved market has a payout of 1 USD in `/v2/resolutions`',
    asked: 'Data API `/v2/resolutions?condition=`',
    check: async ({ trades }) => {
      const { conditions, answer } = await trades.resolutions();
      const found = parseResolutionsV2(answer.body)?.found;
      if (found === undefined) return differing(summaryOf(answer));
      return each(
        conditions,
        'resolved markets',
        (condition) => {
          const kind = found.get(condition)?.kind ?? 'missing';
          return kind === 'final' ? null : `${condition.slice(0, 10)}… is ${kind}`;
        },
        ENDED_TOLERATED,
      );
    },
  },
  {
    id: 75,
    text: 'the live feed answers PING with PONG',
    asked: 'live feed',
    check: async ({ trades }) => {
      const { heard } = await trades.liveFeed();
      return heard.some(({ text }) => text === 'PONG') ? holding('PONG') : differing('no PONG');
    },
  },
  {
    id: 76,
    text: 'the trades of the live feed can be read',
    asked: 'live feed, `activity` and `trades`',
    check: async ({ trades }) => {
      const texts = (await trades.liveFeed()).heard.filter(({ text }) => parseRtdsFrame(text).kind !== 'other');
      return each(texts, 'trades', ({ text }) => (parseRtdsFrame(text).kind === 'trade' ? null : shown(text)));
    },
  },
];

function readRows(page: ParsedTrades | null, answer: Answer): Seen {
  if (page === null) return differing(summaryOf(answer));
  const { rows, unreadable, fills, skipped } = page;
  if (rows === 0) return unseen('no rows');
  const seen = `${fills.length} trades, ${skipped} others, ${unreadable} unreadable`;
  return unreadable === 0 && fills.length > 0 ? holding(seen) : differing(seen);
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of a page as they came. Rejects where it is none. */
async function rowsV2(ask: () => Promise<Answer>): Promise<readonly Row[]> {
  const answer = await ask();
  const rows = pageRows(answer);
  if (rows === null) throw new NotAsked(`the Data API answers ${summaryOf(answer)}`);
  return rows;
}

/** null: it is no page. */
function pageRows({ body }: Answer): readonly Row[] | null {
  const { data } = fieldsOf(body);
  return Array.isArray(data) ? data.map(fieldsOf) : null;
}
