import { parseJson } from '#domain/json';
import { parseTradesV2 } from '#wire/polymarket/data-api-v2';
import { parseRtdsFrame, RTDS_PING, RTDS_SUBSCRIBE } from '#wire/polymarket/rtds';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import { type Answer, type Asker, NotAsked, NothingToAsk } from '../asker.js';
import { LIVE_FEED_MS, PING_EVERY_MS } from '../limits.js';
import { type HeardText, Talk, type TalkOptions } from '../talk.js';
import type { askCatalog } from './catalog.js';
import { once } from './once.js';
import { UNKNOWN_WALLET } from './strangers.js';

const PAGE_ROWS = 200;
const FEED = `/v2/trades?taker_only=false&limit=${PAGE_ROWS}`;
/** One more than either version lists. */
const LIMIT_BEYOND = 1_001;
const OFFSET_BEYOND = 10_001;
/** The venue takes up to 20 conditions in one question (docs/venue.md, "Trades"). */
const CONDITIONS_PER_CALL = 20;
const LIVE_TRADES_WANTED = 3;

/** What the Data API and the live feed are asked. */
export function askTrades(
  asker: Asker,
  connect: ConnectTextSocket,
  catalog: ReturnType<typeof askCatalog>,
  options: TalkOptions,
) {
  const get = (name: string, path: string) => once(() => asker.get('data', name, path));
  const feed = get('data-v2-trades', FEED);
  const firstPage = once(async () => pageOf(await feed()));
  /** Who traded most in a market that has ended: such a wallet has more than trades. */
  const maker = once(async () => {
    const { condition } = (await catalog.ended())[0]!;
    const { fills } = pageOf(await asker.get('data', 'data-v2-market', `${FEED}&condition=${condition}`));
    const wallet = mostFrequent(fills.map((fill) => fill.wallet));
    if (wallet === null) throw new NothingToAsk('there are no trades in a market that has ended');
    return wallet;
  });
  return {
    feed,
    nextPage: once(async () => {
      const { nextCursor } = await firstPage();
      if (nextCursor === null) throw new NothingToAsk('all trades are on one page');
      return asker.get('data', 'data-v2-trades', `${FEED}&cursor=${encodeURIComponent(nextCursor)}`);
    }),
    beyondLimit: get('data-v2-limit', `/v2/trades?limit=${LIMIT_BEYOND}`),
    byOffset: get('data-v2-offset', '/v2/trades?limit=1&offset=1'),
    unknownWallet: get('data-v2-unknown', `/v2/trades?user=${UNKNOWN_WALLET}&taker_only=false&start=1&limit=1`),
    firstVersion: get('data-v1-trades', `/trades?takerOnly=false&limit=${PAGE_ROWS}`),
    beyondOffset: get('data-v1-offset', `/trades?takerOnly=false&limit=1&offset=${OFFSET_BEYOND}`),
    activity: once(async () => asker.get('data', 'data-activity', `/activity?user=${await maker()}&limit=500`)),
    credits: once(async () =>
      asker.get('data', 'data-credits', `/activity?user=${await maker()}&limit=100&type=REWARD,MAKER_REBATE`),
    ),
    resolutions: once(async () => {
      const conditions = (await catalog.ended()).slice(0, CONDITIONS_PER_CALL).map(({ condition }) => condition);
      const path = `/v2/resolutions?condition=${conditions.join(',')}`;
      return { conditions, answer: await asker.get('data', 'data-resolutions', path) };
    }),
    liveFeed: once(async (): Promise<{ readonly heard: readonly HeardText[]; readonly closed: string | null }> => {
      await asker.turn();
      const talk = await Talk.open(connect, options);
      talk.send(RTDS_SUBSCRIBE);
      talk.send(RTDS_PING);
      const trades = () => talk.heard.filter(({ text }) => parseRtdsFrame(text).kind !== 'other').length;
      await talk.until(() => talk.heard.some(({ text }) => text === 'PONG'), PING_EVERY_MS);
      await talk.untilWith(RTDS_PING, () => trades() >= LIVE_TRADES_WANTED, LIVE_FEED_MS);
      const { closed } = talk;
      talk.close();
      asker.samples.keep(
        'live-feed',
        { asked: 'live feed, all that was heard' },
        { body: talk.heard.map(({ text }) => parseJson(text) ?? text) },
      );
      return { heard: talk.heard, closed };
    }),
  };
}

/** A page of the second version as the service reads it. Rejects where it cannot be. */
function pageOf({ body, status }: Answer): NonNullable<ReturnType<typeof parseTradesV2>> {
  const page = parseTradesV2(body);
  if (page === null) throw new NotAsked(`the Data API answered ${status} with something other than a page of trades`);
  return page;
}

function mostFrequent(names: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
