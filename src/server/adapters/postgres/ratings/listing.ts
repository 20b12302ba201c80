import type { Pool } from 'pg';
import type { RatingsListing } from '#ports/ratings-store';
import type { Cursor, RowsPage } from '#ports/store';
import { decodeStoredRating, decodeVerdict } from '../../rows/rating-rows.js';
import { fromDoc, understood } from '../doc.js';
import { queryRows } from '../query.js';

interface Cached {
  readonly wallet: string;
  readonly run: number;
  readonly doc: string;
}

/** Returns the listing of the ratings in a database. */
export function ratingsListing(pool: Pool, read: <T>(from: () => Promise<T>) => Promise<T>): RatingsListing {
  const toRating = (key: string, { wallet, doc }: Pick<Cached, 'wallet' | 'doc'>) =>
    fromDoc(key, doc, (_, raw) => decodeStoredRating(key, raw, wallet));
  return {
    runRatings: (run, from, limit) =>
      read(async () => {
        const text = 'SELECT wallet, doc FROM rating WHERE run = $1 AND wallet > $2 ORDER BY wallet LIMIT $3';
        const rows = await queryRows<Cached>(pool, { text, values: [run, from ?? '', limit] });
        return pageOf(rows, limit, { toRow: (row) => toRating(`rating/${run}/${row.wallet}`, row), at: walletOf });
      }),
    demandRatings: (from, limit) =>
      read(async () => {
        const text = 'SELECT wallet, doc FROM demand_rating WHERE wallet > $1 ORDER BY wallet LIMIT $2';
        const rows = await queryRows<Cached>(pool, { text, values: [from ?? '', limit] });
        return pageOf(rows, limit, { toRow: (row) => toRating(`demand/${row.wallet}`, row), at: walletOf });
      }),
    verdicts: (from, limit) =>
      read(async () => {
        const [wallet = '', run = '0'] = from?.split('/') ?? [];
        const rows = await queryRows<Cached>(pool, { text: VERDICTS, values: [wallet, Number(run), limit] });
        return pageOf(rows, limit, { toRow: toVerdict, at: ({ wallet, run }) => `${wallet}/${run}` });
      }),
  };
}

const walletOf = ({ wallet }: Cached): string => wallet;

const toVerdict = ({ wallet, run, doc }: Cached) => ({
  ...{ wallet, run },
  ...fromDoc(`history/${wallet}/${run}`, doc, decodeVerdict),
});

/** `at`: the cursor behind a row. */
function pageOf<Row>(
  rows: readonly Cached[],
  limit: number,
  { toRow, at }: { readonly toRow: (row: Cached) => Row; readonly at: (row: Cached) => Cursor },
): RowsPage<Row> {
  const last = rows.at(-1);
  return { ...understood(rows, toRow), next: last === undefined || rows.length < limit ? null : at(last) };
}

/** What never was in force is nobody's past. */
const VERDICTS = `
  SELECT wallet, run, doc FROM verdict_history h
  WHERE (wallet, run) > ($1, $2) AND EXISTS (SELECT 1 FROM published_run p WHERE p.run = h.run)
  ORDER BY wallet, run LIMIT $3`;
