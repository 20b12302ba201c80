import { parseJson } from '#domain/json';
import { DEFAULT_MIN_ORDER_SHARES } from '#domain/market';
import { type GammaMarket, parseGammaEvent, parseGammaMarket } from '#wire/polymarket/gamma';
import { parseGammaMarketFacts } from '#wire/polymarket/gamma-market-facts';
import type { Answer } from '../asker.js';
import { type Listed, rowsOf } from '../interview/catalog.js';
import { fieldsOf } from '../rest-books.js';
import { differing, each, holding, shown, tally } from '../seen.js';
import { type Assumption, ofList, refusal, summaryOf } from './assumption.js';

type Raw = Readonly<Record<string, unknown>>;

const VERSIONS = new Set<unknown>([undefined, null, '', 'v1', 'v2']);
/** 32 bytes. */
const CONDITION_V1 = /^0x[0-9a-f]{64}$/i;
/** 31 bytes. */
const CONDITION_V2 = /^0x[0-9a-f]{62}$/i;
const ORACLE_WORDS = new Set<unknown>([
  ...[undefined, null, '', 'inactive', 'requested', 'proposed', 'challenged', 'disputed', 'settled', 'resolved'],
]);
/** What the venue has held marketable orders back for, in whole seconds. */
const DELAY_S_MAX = 5;
const PAGE_ROWS_MAX = 100;
/** Of those that ended a few are 50/50, or have their prices late. */
const ENDED_TOLERATED = 0.1;

/** What the service takes for granted of Gamma. */
export const CATALOG: readonly Assumption[] = [
  {
    id: 1,
    text: 'the old lists still answer, with a list',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) => {
      const answer = await catalog.open();
      const isList = Array.isArray(answer.body) && answer.body.length > 0;
      return isList ? holding(`${(answer.body as unknown[]).length} markets`) : differing(summaryOf(answer));
    },
  },
  {
    id: 2,
    text: 'every open market can be read',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) =>
      each(await openRows(catalog), 'open markets', (raw) => {
        const parsed = parseGammaMarket(raw);
        return isUnderstood(parsed) ? null : `${shown(raw.slug)} cannot be read`;
      }),
  },
  {
    id: 3,
    text: 'lists inside a market of V1 are JSON text',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) =>
      each(ofVersion(await openRows(catalog), 1), 'markets of V1', (raw) => {
        const lists = ['outcomes', 'outcomePrices', 'clobTokenIds'].filter((key) => raw[key] !== undefined);
        const bad = lists.find((key) => !isListText(raw[key]));
        return bad === undefined ? null : `${bad} is ${shown(raw[bad])}`;
      }),
  },
  {
    id: 4,
    text: 'a market has two outcomes, and a token for each',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) =>
      each(await openRows(catalog), 'open markets', (raw) => {
        const [labels, tokens] = [listOf(raw.outcomes), listOf(raw.clobTokenIds) ?? listOf(raw.positionIds)];
        const isTwo = labels?.length === 2 && tokens?.length === 2;
        return isTwo ? null : `${shown(raw.slug)} has ${labels?.length} outcomes, ${tokens?.length} tokens`;
      }),
  },
  {
    id: 5,
    text: '`version` is "v1", "v2" or absent',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) => {
      const rows = await openRows(catalog);
      const seen = each(rows, 'open markets', ({ version }) => (VERSIONS.has(version) ? null : shown(version)));
      return seen.holds === 'yes' ? holding(tally(rows.map(({ version }) => String(version ?? 'absent')))) : seen;
    },
  },
  {
    id: 6,
    text: 'V1: clobTokenIds, and conditions of 32 bytes',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) =>
      each(ofVersion(await openRows(catalog), 1), 'markets of V1', (raw) => {
        if (!CONDITION_V1.test(String(raw.conditionId))) return `conditionId ${shown(raw.conditionId)}`;
        return listOf(raw.clobTokenIds) === null ? `clobTokenIds ${shown(raw.clobTokenIds)}` : null;
      }),
  },
  {
    id: 7,
    text: 'V2: positionIds, and conditions of 31 bytes',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) =>
      each(ofVersion(await openRows(catalog), 2), 'markets of V2', (raw) => {
        if (!CONDITION_V2.test(String(raw.conditionId))) return `conditionId ${shown(raw.conditionId)}`;
        return listOf(raw.positionIds) === null ? `positionIds ${shown(raw.positionIds)}` : null;
      }),
  },
  {
    id: 8,
    text: '`closed=false` lists open markets alone',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) => each(await openRows(catalog), 'open markets', isClosed(false)),
  },
  {
    id: 9,
    text: '`closed=true` lists closed markets alone',
    asked: 'Gamma `/markets?closed=true`',
    check: async ({ catalog }) =>
      ofList(await catalog.closed(), (rows) => each(rows.map(fieldsOf), 'closed markets', isClosed(true))),
  },
  {
    id: 10,
    text: '`/markets` without `closed` lists open ones alone',
    asked: 'Gamma `/markets`',
    check: async ({ catalog }) =>
      ofList(await catalog.unstated(), (rows) => each(rows.map(fieldsOf), 'markets', isClosed(false))),
  },
  {
    id: 11,
    text: 'a slug finds its market, and no other',
    asked: 'Gamma `/markets?slug=`',
    check: async ({ catalog }) => {
      const { market, answer } = await catalog.bySlug();
      return ofList(answer, (rows) => {
        const slugs = rows.map((row) => fieldsOf(row).slug);
        return slugs.length === 1 && slugs[0] === market.slug ? holding(market.slug) : differing(shown(slugs));
      });
    },
  },
  {
    id: 12,
    text: "an unknown slug is an empty list, or a refusal in Gamma's own JSON",
    asked: 'Gamma `/markets?slug=`, `/events?slug=`',
    check: async ({ catalog }) => {
      const answers = [await catalog.unknownMarket(), await catalog.unknownEvent()];
      const other = answers.find((answer) => !isEmptyList(answer) && refusal(answer, 404).holds === 'no');
      return other === undefined ? holding(answers.map(summaryOf).join(' and ')) : differing(summaryOf(other));
    },
  },
  {
    id: 13,
    text: 'one question finds the markets of 40 tokens',
    asked: 'Gamma `/markets?clob_token_ids=`',
    check: async ({ catalog }) => {
      const wanted = await catalog.tradable();
      return ofList(await catalog.byTokens(), (rows) => {
        const found = rows.map((raw) => {
          const parsed = parseGammaMarket(raw);
          return parsed.kind === 'market' ? parsed.market.conditionId : null;
        });
        return each(wanted, 'markets by token', isAmong(found));
      });
    },
  },
  {
    id: 14,
    text: 'one question finds the markets of 20 conditions',
    asked: 'Gamma `/markets?condition_ids=`',
    check: async ({ catalog }) => {
      const wanted = await catalog.tradable();
      return ofList(await catalog.byConditions(), (rows) =>
        each(wanted, 'markets by condition', isAmong(rows.map((row) => parseGammaMarketFacts(row)?.condition ?? null))),
      );
    },
  },
  {
    id: 15,
    text: 'an open event is found with `closed=false`, all its markets readable',
    asked: 'Gamma `/events?slug=`',
    check: async ({ catalog }) => {
      const slug = await catalog.eventSlug();
      return ofList(await catalog.openEvent(), (rows) => {
        const raw = rows.find((one) => fieldsOf(one).slug === slug);
        if (raw === undefined) return differing(`${slug} is not there`);
        if (parseGammaEvent(raw) === null) return differing(`${slug} cannot be read`);
        return each(listOf(fieldsOf(raw).markets) ?? [], 'markets of an event', (one) =>
          isUnderstood(parseGammaMarket(one)) ? null : `${shown(fieldsOf(one).slug)} cannot be read`,
        );
      });
    },
  },
  {
    id: 16,
    text: '`closed=true` leaves an open event out',
    asked: 'Gamma `/events?slug=&closed=true`',
    check: async ({ catalog }) => {
      const slug = await catalog.eventSlug();
      return ofList(await catalog.closedEvent(), (rows) => {
        const isThere = rows.some((one) => fieldsOf(one).slug === slug);
        return isThere ? differing(`${slug} is there`) : holding(`${rows.length} events`);
      });
    },
  },
  {
    id: 17,
    text: 'a page of a list has at most 100 rows, whatever is asked for',
    asked: 'Gamma `/markets/keyset?limit=101`',
    check: async ({ catalog }) => {
      const answer = await catalog.keyset();
      const { markets } = fieldsOf(answer.body);
      if (!Array.isArray(markets)) return differing(summaryOf(answer));
      return markets.length <= PAGE_ROWS_MAX ? holding(`${markets.length} rows`) : differing(`${markets.length} rows`);
    },
  },
  {
    id: 18,
    text: 'a cursor goes on behind its page',
    asked: 'Gamma `/markets/keyset?after_cursor=`',
    check: async ({ catalog }) => {
      const [first, next] = [await catalog.keyset(), await catalog.keysetNext()].map(keysetRows);
      if (first === null || next === null) return differing(summaryOf(await catalog.keysetNext()));
      const before = new Set(first!.map(({ conditionId }) => conditionId));
      return each(next!, 'rows of the next page', ({ conditionId, slug }) =>
        before.has(conditionId) ? `${shown(slug)} is on both` : null,
      );
    },
  },
  {
    id: 19,
    text: 'the words of resolution are known',
    asked: 'both lists: `umaResolutionStatus`, `resolutionStatus`',
    check: async ({ catalog }) => {
      const rows = [...(await openRows(catalog)), ...rowsOf(await catalog.closed()).map(fieldsOf)];
      return each(rows, 'markets', (raw) => {
        const words = [raw.umaResolutionStatus, raw.resolutionStatus];
        const strange = words.find((word) => !ORACLE_WORDS.has(word));
        return strange === undefined ? null : shown(strange);
      });
    },
  },
  {
    id: 20,
    text: 'a resolved market says when it closed and, by its prices, who won',
    asked: 'Gamma `/markets?closed=true`',
    check: async ({ catalog }) =>
      each(
        await catalog.ended(),
        'resolved markets',
        ({ raw }) => {
          const facts = parseGammaMarketFacts(raw);
          if (facts === null) return `${shown(raw.slug)} cannot be read`;
          if (facts.closedAtS === null) return `${facts.slug} has no closedTime`;
          return facts.payoutMicros === null ? `${facts.slug} has ${shown(raw.outcomePrices)}` : null;
        },
        ENDED_TOLERATED,
      ),
  },
  {
    id: 21,
    text: '`secondsDelay` is absent or a whole number up to 5',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) => {
      const rows = await openRows(catalog);
      const seen = each(rows, 'open markets', ({ secondsDelay: s }) => {
        const isKnown =
          s === undefined || s === null || (Number.isInteger(s) && Number(s) >= 0 && Number(s) <= DELAY_S_MAX);
        return isKnown ? null : `secondsDelay ${shown(s)}`;
      });
      return seen.holds === 'yes' ? holding(tally(rows.map(({ secondsDelay }) => `of ${secondsDelay ?? 0} s`))) : seen;
    },
  },
  {
    id: 22,
    text: '`orderMinSize` is 5 shares',
    asked: 'Gamma `/markets?closed=false`',
    check: async ({ catalog }) =>
      each(await openRows(catalog), 'open markets', ({ orderMinSize }) =>
        orderMinSize === DEFAULT_MIN_ORDER_SHARES ? null : `orderMinSize ${shown(orderMinSize)}`,
      ),
  },
];

async function openRows(catalog: { open: () => Promise<Answer> }): Promise<readonly Raw[]> {
  return rowsOf(await catalog.open()).map(fieldsOf);
}

function isEmptyList({ status, body }: Answer): boolean {
  return status === 200 && Array.isArray(body) && body.length === 0;
}

function isAmong(found: readonly (string | null)[]): (listed: Listed) => string | null {
  return ({ market }) => (found.includes(market.conditionId) ? null : `${market.slug} is missing`);
}

/** null: it is no page. */
function keysetRows({ body }: Answer): readonly Raw[] | null {
  const { markets } = fieldsOf(body);
  return Array.isArray(markets) ? markets.map(fieldsOf) : null;
}

function ofVersion(rows: readonly Raw[], version: 1 | 2): readonly Raw[] {
  return rows.filter((raw) => (raw.version === 'v2') === (version === 2));
}

/** One that no order can be priced on may well be understood. */
function isUnderstood(parsed: GammaMarket): boolean {
  return parsed.kind === 'market' || parsed.reason !== 'malformed';
}

function isClosed(wanted: boolean): (raw: Raw) => string | null {
  return (raw) => (raw.closed === wanted ? null : `${shown(raw.slug)} has closed ${shown(raw.closed)}`);
}

function isListText(value: unknown): boolean {
  return typeof value === 'string' && Array.isArray(parseJson(value));
}

/** A list, in either of its forms. */
function listOf(value: unknown): readonly unknown[] | null {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list : null;
}
