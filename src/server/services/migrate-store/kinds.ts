import type { OutsideError } from '#domain/errors';
import type { PaymentRow } from '#domain/payment/payment-row';
import { BASES_PER_PAGE } from '#ports/basis-store';
import type { CopiedKind, CopiedRows, ExposureRow } from '#ports/copy-target';
import type { RatingsStore } from '#ports/ratings-store';
import type { Cursor, RowsPage, Store } from '#ports/store';

/** A store and its ratings; null: there are none. */
export interface WholeStore {
  readonly store: Store;
  readonly ratings: RatingsStore | null;
}

/** How to read each kind of rows, in the order in which they are copied. */
export type CopyReaders = {
  readonly [Kind in CopiedKind]: (from: Cursor, limit: number) => Promise<RowsPage<CopiedRows[Kind]>>;
};

/** In the order in which they are copied: what others refer to comes first. */
export const COPIED_KINDS: readonly CopiedKind[] = [
  ...(['promos', 'redemptions', 'accounts', 'entries', 'tokens', 'answers', 'payments', 'transfers'] as const),
  ...(['exposures', 'board', 'boardRatings', 'verdicts', 'demandRatings', 'walletRows'] as const),
  ...(['scoreDays', 'bases', 'followedBoards'] as const),
];

/** A day of the scoreboard and a followed board are larger than other rows. */
const LARGE_ROWS_PAGE = 10;

const NOTHING = { items: [], faults: [], next: null };

/**
 * Returns how to read a store as a copy of it is: of answers those that live, of open payments no
 * owner.
 */
export function readersOf({ store, ratings }: WholeStore, startedAtMs: number): CopyReaders {
  const { listing } = store;
  return {
    promos: listing.promos,
    redemptions: listing.redemptions,
    accounts: listing.accounts,
    entries: listing.entries,
    tokens: listing.tokenSets,
    answers: async (from, limit) => {
      const page = await listing.answers(from, limit);
      return { ...page, items: page.items.filter(({ expiresAtMs }) => expiresAtMs > startedAtMs) };
    },
    payments: async (from, limit) => {
      const page = await listing.payments(from, limit);
      return { ...page, items: page.items.map(({ row }) => ownerless(row)) };
    },
    transfers: listing.transfers,
    exposures: (from, limit) => exposuresOf(store, from, limit),
    board: async () => {
      const board = (await ratings?.board()) ?? null;
      return board === null ? NOTHING : { ...NOTHING, items: [board] };
    },
    boardRatings: async (from, limit) => {
      const run = (await ratings?.board())?.run;
      if (ratings === null || run === undefined) return NOTHING;
      const page = await ratings.listing.runRatings(run, from, limit);
      return { ...page, items: page.items.map((stored) => ({ ...stored, run })) };
    },
    verdicts: async (from, limit) => (await ratings?.listing.verdicts(from, limit)) ?? NOTHING,
    demandRatings: async (from, limit) => (await ratings?.listing.demandRatings(from, limit)) ?? NOTHING,
    walletRows: async (from, limit) => {
      const page = await ratings?.walletRows(from, limit);
      if (page === undefined) return NOTHING;
      const faults = (page.malformed ?? []).map(({ error }) => error as OutsideError);
      return { items: page.items, faults, next: page.next };
    },
    scoreDays: async (from, limit) => (await ratings?.scores.list(from, Math.min(limit, LARGE_ROWS_PAGE))) ?? NOTHING,
    bases: async (from, limit) => (await ratings?.bases.list(from, Math.min(limit, BASES_PER_PAGE))) ?? NOTHING,
    followedBoards: async (from, limit) =>
      (await ratings?.follows.list(from, Math.min(limit, LARGE_ROWS_PAGE))) ?? NOTHING,
  };
}

/** The first replica takes over what is open. */
function ownerless(row: PaymentRow): PaymentRow {
  return row.open ? { ...row, owner: null } : row;
}

/** Those of facilitators are few, and come with the first page. */
async function exposuresOf(store: Store, from: Cursor, limit: number): Promise<RowsPage<ExposureRow>> {
  const page = await store.listing.walletExposures(from, limit);
  const wallets = page.items.map(({ wallet, exposure }) => ({ facilitator: null, wallet, exposure }));
  if (from !== null) return { ...page, items: wallets };
  const sums = [...(await store.exposures())];
  const facilitators = sums.map(([facilitator, exposure]) => ({ facilitator, wallet: null, exposure }));
  return { ...page, items: [...facilitators, ...wallets] };
}
