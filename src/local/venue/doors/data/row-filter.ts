import type { Request } from 'express';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { gammaIdOf } from '../../market/deterministic-ids.js';
import type { TapeRow } from '../../market/tape-rows.js';
import { queryList, queryText } from '../query.js';

/**
 * Which rows a request wants. Empty lists and nulls want everything. Times in seconds, both ends
 * included.
 */
export interface RowFilter {
  readonly user: WalletAddress | null;
  readonly conditions: readonly string[];
  readonly eventIds: readonly string[];
  readonly side: string | null;
  readonly takerOnly: boolean;
  readonly filterType: string;
  readonly filterAmount: number;
  readonly startS: number;
  readonly endS: number;
}

/**
 * Returns what both versions of the Data API ask for in the same words; lists and flags are the
 * caller's to add.
 */
export function commonFilter(request: Request): Pick<RowFilter, 'user' | 'side' | 'startS' | 'endS'> {
  return {
    user: parseWallet(queryText(request, 'user') ?? ''),
    side: queryText(request, 'side')?.toUpperCase() ?? null,
    startS: Number(queryText(request, 'start') ?? 0) || 0,
    endS: Number(queryText(request, 'end') ?? 0) || Number.MAX_SAFE_INTEGER,
  };
}

/** Returns the values of a list parameter in lower case, as ids are compared. */
export function idList(request: Request, ...names: readonly string[]): string[] {
  return names.flatMap((name) => queryList(request, name)).map((id) => id.toLowerCase());
}

/** Whether the row is one of those asked for. */
export function matches(row: TapeRow, filter: RowFilter): boolean {
  const { user, conditions, eventIds, side, takerOnly, startS, endS } = filter;
  if (user !== null && row.wallet.address !== user) return false;
  if (takerOnly && !row.taker) return false;
  if (row.timestampS < startS || row.timestampS > endS) return false;
  if (side !== null && row.side !== side) return false;
  // A combo is of none of the markets of its legs.
  if (row.isCombo === true && conditions.length + eventIds.length > 0) return false;
  if (conditions.length > 0 && !conditions.includes(row.market.ids.conditionId)) return false;
  if (eventIds.length > 0 && !eventIds.includes(gammaIdOf(`event:${row.market.event.slug}`))) return false;
  const amount = filter.filterType === 'CASH' ? row.shares * row.price : row.shares;
  return amount >= filter.filterAmount;
}
