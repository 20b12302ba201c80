import { asObject, parseJson } from '#domain/json';
import { exchange } from './http.js';
import { getRequest, type Parameters } from './requests.js';

/** A fill of the venue's public trades. */
export interface PublicFill {
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly shares: number;
  readonly price: number;
  readonly atS: number;
  /** Lower case. */
  readonly transaction: string;
}

/** The fills of a wallet since a moment, or as many of them as the venue lists. */
export interface PublicFills {
  readonly fills: readonly PublicFill[];
  /** False: there are older ones that the venue does not list by offset. */
  readonly isComplete: boolean;
}

const PAGE_ROWS = 500;
/** Beyond it the venue answers 400 (docs/venue.md, "Trades"). */
const OFFSET_MAX = 9_500;
const PAGE_MS_MAX = 15_000;

/** Address of the venue's Data API. */
export const DATA_URL = 'https://data-api.polymarket.com';
/** The venue refuses clients that do not name themselves. */
const HEADERS = { 'user-agent': 'preflight-client' };

/**
 * Reads a wallet's fills from `GET /trades` of the venue's Data API, the newest first. Rejects if it
 * does not answer, or not with a list.
 */
export async function readPublicFills(
  dataUrl: string,
  wallet: string,
  sinceS: number,
  signal: AbortSignal,
): Promise<PublicFills> {
  const fills: PublicFill[] = [];
  for (let offset = 0; offset <= OFFSET_MAX; offset += PAGE_ROWS) {
    const rows = await readPage(dataUrl, { user: wallet, takerOnly: 'false', limit: PAGE_ROWS, offset }, signal);
    const read = rows.map(fillOf).filter((fill) => fill !== null);
    fills.push(...read.filter(({ atS }) => atS >= sinceS));
    if (rows.length < PAGE_ROWS || read.some(({ atS }) => atS < sinceS)) return { fills, isComplete: true };
  }
  return { fills, isComplete: false };
}

/**
 * Reads a wallet's fills in one market, the newest first; at most a page of them. Rejects as
 * `readPublicFills` does.
 */
export async function readMarketFills(
  dataUrl: string,
  { wallet, condition }: { readonly wallet: string; readonly condition: string },
  signal: AbortSignal,
): Promise<PublicFills> {
  const query = { user: wallet, market: condition, takerOnly: 'false', limit: PAGE_ROWS, offset: 0 };
  const rows = await readPage(dataUrl, query, signal);
  return { fills: rows.map(fillOf).filter((fill) => fill !== null), isComplete: rows.length < PAGE_ROWS };
}

async function readPage(dataUrl: string, query: Parameters, signal: AbortSignal): Promise<readonly unknown[]> {
  const bound = AbortSignal.any([signal, AbortSignal.timeout(PAGE_MS_MAX)]);
  const { status, text } = await exchange(fetch, getRequest(dataUrl, '/trades', query), HEADERS, bound);
  const received: unknown = status === 200 ? parseJson(text) : null;
  if (!Array.isArray(received))
    throw new Error(`${dataUrl}/trades: the venue answered ${status} and no list of trades`);
  return received;
}

function fillOf(row: unknown): PublicFill | null {
  const { asset, side, size, price, timestamp, transactionHash } = asObject(row) ?? {};
  const [shares, each, atS] = [size, price, timestamp].map(Number);
  const isSound = [shares, each, atS].every((value) => Number.isFinite(value) && value! > 0);
  if (!isSound || typeof asset !== 'string' || (side !== 'BUY' && side !== 'SELL')) return null;
  const transaction = typeof transactionHash === 'string' ? transactionHash.toLowerCase() : '';
  return { tokenId: asset, side, shares: shares!, price: each!, atS: atS!, transaction };
}
