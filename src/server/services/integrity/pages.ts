import type { Cursor } from '#ports/store';

/** Rows that are read in one go: a page of the largest rows is a few megabytes. */
const ROWS_PER_PAGE = 1_000;

/**
 * Reads a listing to its end, page by page. Between two pages others have a turn, and rows may
 * change.
 */
export async function* pagesOf<Page extends { readonly next: Cursor }>(
  read: (from: Cursor, limit: number) => Promise<Page>,
  from: Cursor = null,
): AsyncGenerator<Page> {
  let at: Cursor = from;
  do {
    const page: Page = await read(at, ROWS_PER_PAGE);
    yield page;
    at = page.next;
    await new Promise(setImmediate);
  } while (at !== null);
}
