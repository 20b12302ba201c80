import type { Market } from '#domain/market';
import { parseGammaMarket } from '#wire/polymarket/gamma';
import { type Answer, type Asker, NotAsked, NothingToAsk } from '../asker.js';
import { MARKETS_LOOKED_AT } from '../limits.js';
import { fieldsOf } from '../rest-books.js';
import { once } from './once.js';
import { UNKNOWN_SLUG } from './strangers.js';

/** An open market as Gamma lists it, and as the service reads it. */
export interface Listed {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly market: Market;
}

/** A market that has ended. */
export interface Ended {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly condition: string;
  readonly token: string;
}

const BUSIEST = 'limit=100&order=volume24hr&ascending=false';

/** What Gamma is asked. */
export function askCatalog(asker: Asker) {
  const get = (name: string, path: string) => once(() => asker.get('gamma', name, path));
  const open = get('gamma-open', `/markets?closed=false&${BUSIEST}`);
  const closed = get('gamma-closed', `/markets?closed=true&${BUSIEST}`);

  const tradable = once(async (): Promise<readonly Listed[]> => {
    const found = rowsOf(await open()).flatMap((raw): Listed[] => {
      const parsed = parseGammaMarket(raw);
      return parsed.kind === 'market' && isTradable(parsed.market)
        ? [{ raw: fieldsOf(raw), market: parsed.market }]
        : [];
    });
    if (found.length === 0) throw new NotAsked('Gamma lists no open market that could be read');
    return found.slice(0, MARKETS_LOOKED_AT);
  });

  const eventSlug = once(async () => {
    for (const { raw } of await tradable()) {
      const slug = fieldsOf((raw.events as readonly unknown[] | undefined)?.[0]).slug;
      if (typeof slug === 'string') return slug;
    }
    throw new NotAsked('no market of Gamma says of which event it is');
  });
  const event = (closedIsWanted: boolean) =>
    once(async () =>
      asker.get('gamma', 'gamma-event', `/events?slug=${await eventSlug()}&closed=${String(closedIsWanted)}`),
    );

  const byIds = (name: string, parameter: string, idsOf: (market: Market) => readonly string[]) =>
    once(async () => {
      const ids = (await tradable()).flatMap(({ market }) => idsOf(market));
      const query = new URLSearchParams({ limit: String(ids.length), include_tag: 'true', closed: 'false' });
      for (const id of ids) query.append(parameter, id);
      return asker.get('gamma', name, `/markets?${query}`);
    });

  const keyset = get('gamma-keyset', '/markets/keyset?closed=false&limit=101');
  return {
    open,
    closed,
    tradable,
    unstated: get('gamma-unstated', '/markets?limit=100'),
    bySlug: once(async () => {
      const [{ market }] = (await tradable()) as [Listed];
      return { market, answer: await asker.get('gamma', 'gamma-slug', `/markets?slug=${market.slug}&closed=false`) };
    }),
    unknownMarket: get('gamma-unknown', `/markets?slug=${UNKNOWN_SLUG}&closed=false`),
    unknownEvent: get('gamma-unknown', `/events?slug=${UNKNOWN_SLUG}&closed=false`),
    byTokens: byIds('gamma-tokens', 'clob_token_ids', ({ outcomes }) => outcomes.map(({ tokenId }) => tokenId)),
    byConditions: byIds('gamma-conditions', 'condition_ids', ({ conditionId }) => [conditionId]),
    eventSlug,
    openEvent: event(false),
    closedEvent: event(true),
    keyset,
    keysetNext: once(async () => {
      const cursor = fieldsOf((await keyset()).body).next_cursor;
      if (typeof cursor !== 'string') throw new NothingToAsk('all open markets are on one page');
      const after = encodeURIComponent(cursor);
      return asker.get('gamma', 'gamma-keyset', `/markets/keyset?closed=false&limit=101&after_cursor=${after}`);
    }),
    /** Closed markets of which all is decided. */
    ended: once(async (): Promise<readonly Ended[]> => {
      const found = rowsOf(await closed()).flatMap((row): Ended[] => {
        const raw = fieldsOf(row);
        const parsed = parseGammaMarket(row);
        if (parsed.kind !== 'market' || raw.umaResolutionStatus !== 'resolved') return [];
        return [{ raw, condition: parsed.market.conditionId, token: parsed.market.outcomes[0]!.tokenId }];
      });
      if (found.length === 0) throw new NothingToAsk('Gamma lists no closed market that is resolved');
      return found;
    }),
  };
}

/** The rows of a list of Gamma. Rejects where it is none. */
export function rowsOf({ body, status }: Answer): readonly unknown[] {
  if (Array.isArray(body)) return body;
  throw new NotAsked(`Gamma answered ${status} with something other than a list`);
}

function isTradable({ status, placeholder }: Market): boolean {
  const { active, closed, acceptingOrders, orderBookEnabled, umaResolutionStatus } = status;
  return active && !closed && acceptingOrders && orderBookEnabled && umaResolutionStatus === '' && !placeholder;
}
