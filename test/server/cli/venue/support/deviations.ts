import { UNKNOWN_TOKEN } from '#adapters/venue-check/interview/strangers';
import { parseJson } from '#domain/json';
import type { Answered, Bend } from './bent-venue.js';

// biome-ignore lint/suspicious/noExplicitAny: deviations are made in JSON of any form.
type Json = any;

const HTML = '<!DOCTYPE html><html><body>Not found</body></html>';

/** Changes the JSON of the answers of these addresses. */
function json(address: RegExp, change: (body: Json, url: string) => unknown): Bend {
  return {
    answer: (url, answer) => {
      if (!address.test(url) || answer.kind !== 'ok') return answer;
      return { kind: 'ok', body: JSON.stringify(change(parseJson(String(answer.body)), url)) };
    },
  };
}

/** Changes the first row of a list in place. */
function first(address: RegExp, change: (row: Json) => void): Bend {
  return json(address, (rows) => {
    change(rows[0]);
    return rows;
  });
}

/** Changes every row of a list, or of the `data` of a page, in place. */
function every(address: RegExp, change: (row: Json, index: number) => void): Bend {
  return json(address, (body) => {
    (Array.isArray(body) ? body : body.data).forEach(change);
    return body;
  });
}

/** Answers these addresses with something else altogether. */
function instead(address: RegExp, answer: Answered): Bend {
  return { answer: (url, own) => (address.test(url) ? answer : own) };
}

const refusing = (status: number, text: string): Answered => ({ kind: 'refused', status, text });
const answering = (body: unknown): Answered => ({ kind: 'ok', body: JSON.stringify(body) });

/** Changes the events of a socket, which come alone or in a list. */
function events(change: (event: Json) => void): Bend {
  return {
    text: (text) => {
      const raw: Json = parseJson(text);
      if (raw === undefined) return [text];
      for (const event of Array.isArray(raw) ? raw : [raw]) change(event);
      return [JSON.stringify(raw)];
    },
  };
}

/** Says this beside each text of a socket. */
function beside(said: string): Bend {
  return { text: (text) => [text, said] };
}

const OPEN = /\/markets\?closed=false/;
const CLOSED = /\/markets\?closed=true/;
const BOOKS = /\/clob\/books/;
const TERMS = /\/clob-markets\//;
const FEED = /\/v2\/trades\?taker_only=false&limit=200/;
const BUILT_UPON = /\/markets\?closed=false&limit=100&order|\/clob\/books$|\/v2\/trades\?taker_only=false&limit=200$/;
const ONE = '0000000000000000000000000000000000000000';

function isFirstBooks(text: string): boolean {
  return text.startsWith('[') && text.includes('"event_type":"book"');
}

/** Returns what lets the first books of a socket through, and no later ones. */
function noLaterBooks(): Bend {
  let count = 0;
  return { text: (text) => (text.includes('"event_type":"book"') && ++count > 1 ? [] : [text]) };
}

/** The venue refuses every question but that for open markets, books and the feed of trades, on which others build. */
export const REFUSING: Bend = {
  answer: (url, own) => (BUILT_UPON.test(url) ? own : refusing(422, '{"error":"too many"}')),
};
/** What takes a refusal for a difference. */
export const REFUSED: readonly string[] = [
  ...['A9', 'A10', 'A11', 'A13', 'A14', 'A15', 'A16', 'A17', 'A26', 'A27', 'A28', 'A36', 'A39', 'A40', 'A41', 'A42'],
  ...['A45', 'A64', 'A65', 'A66', 'A68', 'A70', 'A71'],
];

/** One deviation of the venue for each assumption, by its number. */
export const DEVIATIONS: Readonly<Record<string, () => Bend>> = {
  A1: () => instead(OPEN, refusing(410, '{"error":"use /markets/keyset"}')),
  A2: () => first(OPEN, (row) => delete row.conditionId),
  A3: () => first(OPEN, (row) => Object.assign(row, { outcomes: JSON.parse(row.outcomes) })),
  A4: () => first(OPEN, (row) => Object.assign(row, { outcomes: '["One", "Two", "Three"]' })),
  A5: () => first(OPEN, (row) => Object.assign(row, { version: 'v3' })),
  A6: () => first(OPEN, (row) => Object.assign(row, { conditionId: row.conditionId.slice(0, -2) })),
  A7: () => first(OPEN, (row) => Object.assign(row, { version: 'v2', positionIds: null })),
  A8: () => first(OPEN, (row) => Object.assign(row, { closed: true })),
  A9: () => first(CLOSED, (row) => Object.assign(row, { closed: false })),
  A10: () => first(/\/markets\?limit=100$/, (row) => Object.assign(row, { closed: true })),
  A11: () => json(/\/markets\?slug=/, (rows) => [...rows, { ...rows[0], slug: 'another-market' }]),
  A12: () => instead(/\/events\?slug=a-market-that/, refusing(404, HTML)),
  A13: () => json(/clob_token_ids=/, (rows) => rows.slice(1)),
  A14: () => json(/condition_ids=/, (rows) => rows.slice(1)),
  A15: () => first(/\/events\?slug=/, (event) => delete event.markets[0].slug),
  A16: () => json(/\/events\?slug=.*closed=true/, (_, url) => [{ slug: new URL(url).searchParams.get('slug') }]),
  A17: () => json(/\/keyset/, (page) => ({ ...page, markets: [...page.markets, page.markets[0]] })),
  A18: () => ({ url: (url) => url.replace(/&after_cursor=.*/, '') }),
  A19: () => first(OPEN, (row) => Object.assign(row, { resolutionStatus: 'halted' })),
  A20: () => every(CLOSED, (row) => Object.assign(row, { outcomePrices: '["0", "0"]' })),
  A21: () => first(OPEN, (row) => Object.assign(row, { secondsDelay: 0.15 })),
  A22: () => first(OPEN, (row) => Object.assign(row, { orderMinSize: 1 })),
  A23: () => first(OPEN, (row) => Object.assign(row, { feeType: 'levy_2027' })),
  A24: () => every(OPEN, (row) => row.feeSchedule && Object.assign(row.feeSchedule, { rate: 0.1 })),
  A25: () => every(OPEN, (row) => row.feeSchedule && Object.assign(row.feeSchedule, { takerOnly: false })),
  A26: () => json(TERMS, (terms) => ({ ...terms, ...(terms.fd && { fd: { ...terms.fd, r: 0.001 } }) })),
  A27: () => json(TERMS, (terms) => ({ ...terms, fd: { r: 0, e: 1, to: true } })),
  A28: () => json(/\/book\?token_id=/, (book) => ({ ...book, min_order_size: 5 })),
  A29: () => first(BOOKS, (book) => Object.assign(book, { bids: [{ price: 'none', size: '1' }] })),
  A30: () => json(BOOKS, withStranger),
  A31: () => every(BOOKS, (book) => book.asks.reverse()),
  A32: () => first(BOOKS, (book) => Object.assign(book, { hash: ONE })),
  A33: () => every(BOOKS, (book) => book.bids.pop()),
  A34: () => first(BOOKS, (book) => Object.assign(book, { tick_size: '0.03' })),
  A35: () => first(BOOKS, (book) => Object.assign(book, { tick_size: '0.1' })),
  A36: () => instead(/\/book\?token_id=\d/, refusing(404, HTML)),
  A37: () => instead(/\/book\?token_id=none/, refusing(404, '{"error":"market not found"}')),
  A38: () => instead(BOOKS, answering([])),
  A39: () => json(TERMS, (terms) => ({ ...terms, ao: false })),
  A40: () => json(TERMS, (terms) => ({ ...terms, mts: 0.1 })),
  A41: () => json(TERMS, (terms) => ({ ...terms, mos: 15 })),
  A42: () => instead(TERMS, refusing(404, HTML)),
  A43: () => instead(/\/book\?token_id=/, answering({ bids: [], asks: [] })),
  A44: () => json(/\/clob\/markets\//, (market) => ({ ...market, closed: false })),
  A45: () => json(/\/time$/, (seconds) => seconds + 60),
  A46: () => ({ text: (text) => [isFirstBooks(text) ? JSON.stringify(JSON.parse(text).slice(1)) : text] }),
  A47: () => events((event) => delete event.tick_size),
  A48: () => events((event) => event.event_type === 'book' && Object.assign(event, { hash: ONE })),
  A49: () => events((event) => event.bids?.reverse()),
  A50: () => ({ text: (text) => (text === 'PONG' ? [] : [text]) }),
  A51: () => ({ text: (text) => (isFirstBooks(text) ? [withStrangerBook(text)] : [text]) }),
  A52: () => beside('{"event_type":"book"}'),
  A53: () => beside('{"event_type":"trading_halt"}'),
  A54: () => events((event) => event.price_changes?.splice(1)),
  A55: () => events((event) => rehashed(event.price_changes ?? [])),
  A56: () => ({ text: (text) => (text.startsWith('{') && text.includes('"event_type":"book"') ? [] : [text]) }),
  A57: () => events((event) => event.price_changes && Object.assign(event, { timestamp: earlier(event.timestamp) })),
  A58: noLaterBooks,
  A59: () => ({ hears: (text) => !text.includes('unsubscribe') }),
  A60: () => ({ closesSilent: 'closed (1006)' }),
  A61: () => ({ closes: (text) => (text.includes('unsubscribe') ? 'closed (4000, moved)' : null) }),
  A62: () => every(FEED, (row, i) => i === 0 && Object.assign(row, { price: 'none' })),
  A63: () => json(FEED, (page) => ({ ...page, data: page.data.reverse() })),
  A64: () => ({ url: (url) => url.replace(/&cursor=.*/, '') }),
  A65: () => instead(/limit=1001/, answering({ data: [], pagination: { has_more: false, next_cursor: null } })),
  A66: () => instead(/offset=1$/, answering({ data: [], pagination: { has_more: false, next_cursor: null } })),
  A67: () => every(FEED, (row, i) => Object.assign(row, { transaction_hash: `0x${String(i).padStart(64, '0')}` })),
  A68: () => instead(/\/v2\/trades\?user=/, refusing(404, '{"error":"user not found"}')),
  A69: () => every(FEED, (row) => Object.assign(row, { timestamp: row.timestamp - 3_600 })),
  A70: () => every(/\/trades\?takerOnly/, (row, i) => i === 0 && delete row.conditionId),
  A71: () => instead(/offset=10001/, answering([])),
  A72: () => every(/\/activity/, (row, i) => i === 0 && Object.assign(row, { type: 'GIFT' })),
  A73: () => every(/type=REWARD/, (row) => Object.assign(row, { outcomeIndex: 0 })),
  A74: () => every(/\/v2\/resolutions/, (row) => Object.assign(row, { payouts: [1, 1] })),
  A75: () => ({ text: (text) => (text === 'PONG' ? [] : [text]) }),
  A76: () => events((event) => delete event.payload?.price),
};

function rehashed(changes: Json[]): void {
  for (const change of changes) change.hash = ONE;
}

function withStranger(books: Json[]): Json[] {
  return [...books, { ...books[0], asset_id: UNKNOWN_TOKEN }];
}

function withStrangerBook(text: string): string {
  return JSON.stringify(withStranger(JSON.parse(text)));
}

function earlier(timestamp: string): string {
  return String(Number(timestamp) - 20_000);
}
