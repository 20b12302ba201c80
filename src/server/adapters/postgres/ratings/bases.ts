import { BASES_FORGOTTEN_MAX, type BasisStore, forgottenBeforeS } from '#ports/basis-store';
import { decodeBasis, encodeBasis } from '../../rows/rating-rows.js';
import { docOf, fromDoc, understood } from '../doc.js';
import type { Change } from '../job-leases.js';
import type { Pools } from '../pool.js';
import { queryRows } from '../query.js';
import { transactWithRetry } from '../retry.js';
import type { CachedBoard } from './cached-board.js';

/** Returns what ratings were computed from, of a database. */
export function pgBases({ readers, writers }: Pools, run: Change, board: Pick<CachedBoard, 'read'>): BasisStore {
  return {
    read: (asOfS, wallet) =>
      run(async () => {
        const text = 'SELECT doc FROM rating_basis WHERE as_of_s = $1 AND wallet = $2';
        const [row] = await queryRows<{ doc: string }>(readers, { text, values: [asOfS, wallet] });
        return row === undefined ? null : fromDoc(`basis/${asOfS}/${wallet}`, row.doc, decodeBasis);
      }),
    put: (bases) =>
      run(async () => {
        const beforeS = forgottenBeforeS(bases, await board.read());
        const values = [
          bases.map(({ asOfS }) => asOfS),
          bases.map(({ wallet }) => wallet),
          bases.map(({ text }) => docOf(encodeBasis(text))),
        ];
        await transactWithRetry(writers, [
          { text: FORGET, values: [beforeS, BASES_FORGOTTEN_MAX] },
          { text: PUT, values },
        ]);
      }),
    list: (from, limit) =>
      run(async () => {
        const values = [...partsOf(from), limit];
        const rows = await queryRows<Row>(readers, { text: LIST, values });
        const last = rows.at(-1);
        const next = rows.length < limit || last === undefined ? null : `${last.as_of_s}/${last.wallet}`;
        return { ...understood(rows, toStored), next };
      }),
  };
}

interface Row {
  readonly as_of_s: number;
  readonly wallet: string;
  readonly doc: string;
}

function toStored({ as_of_s: asOfS, wallet, doc }: Row) {
  return { asOfS, wallet, text: fromDoc(`basis/${asOfS}/${wallet}`, doc, decodeBasis) };
}

/** Moment and wallet of a cursor, which is `moment/wallet`. */
function partsOf(from: string | null): readonly [asOfS: number, wallet: string] {
  if (from === null) return [-1, ''];
  const at = from.indexOf('/');
  return [Number(from.slice(0, at)), from.slice(at + 1)];
}

const PUT = `
  INSERT INTO rating_basis (as_of_s, wallet, doc) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])
  ON CONFLICT (as_of_s, wallet) DO UPDATE SET doc = excluded.doc`;

const FORGET = `
  DELETE FROM rating_basis WHERE (as_of_s, wallet) IN (
    SELECT as_of_s, wallet FROM rating_basis WHERE as_of_s < $1 LIMIT $2
  )`;

const LIST = `
  SELECT as_of_s, wallet, doc FROM rating_basis WHERE (as_of_s, wallet) > ($1, $2)
  ORDER BY as_of_s, wallet LIMIT $3`;
