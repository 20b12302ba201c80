import type { Cursor } from '#ports/store';

/** Rows that a command reads in one go. */
export const ROWS_PER_PAGE = 1_000;

/** Reads a listing of the store to its end, and hands each of its pages to `see`. */
export async function eachPage<Page extends { readonly next: Cursor }>(
  read: (from: Cursor) => Promise<Page>,
  see: (page: Page) => void,
): Promise<void> {
  let from: Cursor = null;
  do {
    const page: Page = await read(from);
    see(page);
    from = page.next;
  } while (from !== null);
}
