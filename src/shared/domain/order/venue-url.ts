import { isLongToken, parseCondition, parseWallet } from '../ids.js';

/**
 * What the `slug` parameter named. A plain slug may be a market's or an event's, and which of them
 * only the venue knows. `event` comes from an event page, with the market where the page is about
 * one of several.
 */
export type MarketReference =
  | { readonly kind: 'slug'; readonly slug: string }
  | { readonly kind: 'event'; readonly event: string; readonly market: string | null }
  | { readonly kind: 'market'; readonly slug: string }
  | { readonly kind: 'invalid'; readonly why: string };

/** The longest slug we have seen of the venue has 191 characters. */
const SLUG_LENGTH_MAX = 256;
/**
 * Some slugs carry capital letters ("…-first-set-winner-Silva-vs-Dias"), so the spelling is kept.
 */
const SLUG = /^[a-z0-9][a-z0-9._-]*$/i;
const URL_START = /^[a-z][a-z0-9+.-]*:/i;
/**
 * As a browser shows it, without the scheme, it will do. The host is matched as written: no user
 * info, port, final dot, escape or foreign script can slip in.
 */
const VENUE_URL = /^(?:https?:\/\/)?(?:www\.)?polymarket\.com(\/[^?#]*)?(?:[?#].*)?$/is;
const PROFILE_URL = /^(?:https?:\/\/)?(?:www\.)?polymarket\.com\/(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?(?:profile\/|@)/i;
const LOCALE = /^[a-z]{2}(-[a-z]{2,4})?$/i;
const WEEK_NUMBER = /^[0-9]{1,3}$/;

const ACCEPTED =
  'give a market slug, an event slug, or a page address of the venue such as ' +
  'https://polymarket.com/event/<event>, https://polymarket.com/event/<event>/<market>, ' +
  'https://polymarket.com/market/<market> or https://polymarket.com/sports/<league>/<event>';

/**
 * Returns what a plain slug or a page address of the venue names. The address is only read, never
 * fetched, and nothing but slugs comes out of it; its query and fragment are ignored.
 */
export function parseMarketReference(text: string): MarketReference {
  const trimmed = text.trim();
  const other = otherKind(trimmed);
  if (other !== null) return { kind: 'invalid', why: other };
  if (isSlug(trimmed)) return { kind: 'slug', slug: trimmed };
  const match = VENUE_URL.exec(trimmed);
  if (match !== null) return readPath((match[1] ?? '').split('/'));
  if (URL_START.test(trimmed)) return invalid('the address is not a page of polymarket.com');
  return invalid('slug holds characters that no slug of the venue has');
}

/** What a text is that is known as no slug, and where it belongs; null: it may be one. */
function otherKind(text: string): string | null {
  if (isLongToken(text)) return 'this is the token id of an outcome, not a slug: send it as token_id';
  if (parseCondition(text) !== null) {
    return "this is the condition id of a market, not a slug: send the market's slug, or the token_id of one of its outcomes";
  }
  if (parseWallet(text.toLowerCase()) !== null || PROFILE_URL.test(text)) {
    return 'this is a wallet, not a market: preflight_copy checks its address (0x and 40 hexadecimal digits) as wallet';
  }
  return null;
}

/** `parts` begins with the empty text before the first slash; one slash at the end is forgiven. */
function readPath(parts: string[]): MarketReference {
  if (parts.at(-1) === '') parts.pop();
  const isLocalized = LOCALE.test(parts[1] ?? '');
  const [kind, ...rest] = parts.slice(isLocalized ? 2 : 1);
  if (kind === 'event') return readEvent(rest);
  if (kind === 'market') return readMarket(rest);
  if (kind === 'sports') return readSports(rest);
  if (kind === 'esports') return readEsports(rest);
  return invalid('the address is not the page of an event or market');
}

function readEvent([event, market, ...rest]: readonly string[]): MarketReference {
  if (event === undefined) return invalid('the address names no event');
  if (!isSlug(event) || rest.length > 0) return invalid('the address is not the page of an event or market');
  if (market === undefined) return { kind: 'event', event, market: null };
  if (!isSlug(market)) return invalid('the address is not the page of an event or market');
  return { kind: 'event', event, market };
}

function readMarket([market, ...rest]: readonly string[]): MarketReference {
  if (market === undefined) return invalid('the address names no market');
  if (!isSlug(market) || rest.length > 0) return invalid('the address is not the page of an event or market');
  return { kind: 'market', slug: market };
}

/**
 * Sports pages are `<league>/<event>`, `<league>/games/<event>` or
 * `<league>/games/week/<number>/<event>`.
 */
function readSports([league, ...rest]: readonly string[]): MarketReference {
  if (league === undefined || !isSlug(league)) return invalid('the address names no league');
  if (rest[0] !== 'games') return readEvent(rest);
  const isWeek = rest[1] === 'week' && WEEK_NUMBER.test(rest[2] ?? '');
  return readEvent(rest.slice(isWeek ? 3 : 1));
}

/** Esports pages are `<game>/<event>` or `<game>/<tournament>/<event>`; `<game>/games` lists them. */
function readEsports([game, ...rest]: readonly string[]): MarketReference {
  if (game === undefined || !isSlug(game)) return invalid('the address names no game');
  const [tournament, ...event] = rest;
  if (tournament === undefined || (tournament !== 'games' && event.length === 0)) return readEvent(rest);
  return isSlug(tournament) ? readEvent(event) : invalid('the address names no tournament');
}

function isSlug(text: string): boolean {
  return text.length <= SLUG_LENGTH_MAX && SLUG.test(text);
}

function invalid(why: string): MarketReference {
  return { kind: 'invalid', why: `${why}: ${ACCEPTED}` };
}
