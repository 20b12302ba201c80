import type { BookHashFields, BookSnapshot, StreamedBook } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import { bookHash } from '#wire/polymarket/book-hash';
import { parseClobBook } from '#wire/polymarket/clob';

/** One book of an answer of REST: as it came, and as the service reads it. */
export interface RestBook {
  readonly raw: Readonly<Record<string, unknown>>;
  /** null: it cannot be read. */
  readonly snapshot: BookSnapshot | null;
}

/** The books of `POST /books`, by token. */
export class RestBooks {
  readonly all: readonly RestBook[];
  readonly #byToken: ReadonlyMap<string, RestBook>;

  constructor(raws: readonly unknown[]) {
    this.all = raws.map((raw) => ({ raw: fieldsOf(raw), snapshot: parseClobBook(raw) }));
    this.#byToken = new Map(this.all.map((book) => [String(book.raw.asset_id), book]));
  }

  of(tokenId: TokenId): RestBook | null {
    return this.#byToken.get(tokenId) ?? null;
  }

  /** What a book's hash covers and the channel does not send. */
  fieldsOf(tokenId: TokenId): Pick<BookHashFields, 'minOrderSize' | 'negRisk' | 'tickSize'> {
    const { minOrderSize = null, negRisk = null, tickSize = null } = this.of(tokenId)?.snapshot ?? {};
    return { minOrderSize, negRisk, tickSize };
  }
}

/** Returns the fields of an object, or none where it is something else. */
export function fieldsOf(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}

/** Returns the venue's hash of a whole book with these fields in the place of those that it lacks. */
export function snapshotHash(snapshot: StreamedBook, fields: Partial<BookHashFields> = {}): string | null {
  return bookHash({
    ...snapshot,
    timestampMs: snapshot.timestampMs ?? 0,
    minOrderSize: snapshot.minOrderSize ?? fields.minOrderSize ?? null,
    tickSize: snapshot.tickSize ?? fields.tickSize ?? null,
    negRisk: snapshot.negRisk ?? fields.negRisk ?? null,
    bidsAscending: snapshot.bids.toSorted((a, b) => a.priceTicks - b.priceTicks),
    asksDescending: snapshot.asks.toSorted((a, b) => b.priceTicks - a.priceTicks),
  });
}

/** What is wrong with the order of a book's levels as they came: bids ascend, asks descend. */
export function orderFault({ bids, asks }: Pick<StreamedBook, 'bids' | 'asks'>): string | null {
  const ascends = (levels: typeof bids, sign: 1 | -1) =>
    levels.every(({ priceTicks }, i) => i === 0 || sign * (priceTicks - levels[i - 1]!.priceTicks) > 0);
  if (!ascends(bids, 1)) return 'bids do not ascend';
  return ascends(asks, -1) ? null : 'asks do not descend';
}
