import MiniSearch from 'minisearch';
import type { DocsEntry } from '#api/docs-page';

const FOUND_MAX = 8;
/** The page of what is in answers. */
const SCHEMAS = 'Schemas';
const SNIPPET_CHARS = 110;

export interface Found {
  readonly url: string;
  readonly title: string;
  readonly page: string;
  /** Words around the first that was searched for. */
  readonly snippet: string;
}

/** Returns what searches entries: by the beginnings of words, and over one wrong letter in five. */
export function docsSearch(entries: readonly DocsEntry[]): (words: string) => readonly Found[] {
  const index = new MiniSearch<DocsEntry & { readonly id: number }>({
    fields: ['title', 'text'],
    // Names such as max_slippage_c are found whole and by their parts.
    tokenize: (text) => [...text.split(/[^\p{L}\p{N}_]+/u), ...text.split(/[^\p{L}\p{N}]+/u)].filter(Boolean),
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 4 }, combineWith: 'AND' },
  });
  // A guide says what to do: forms of answers come after it.
  const boostDocument = (id: number) => (entries[id]?.page === SCHEMAS ? 0.3 : 1);
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (words) =>
    index
      .search(words, { boostDocument })
      .slice(0, FOUND_MAX)
      .map(({ id, terms }) => {
        const { url, title, page, text } = entries[id as number]!;
        return { url, title, page, snippet: around(text, terms) };
      });
}

function around(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term.toLowerCase())).filter((place) => place >= 0);
  const at = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - 30);
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const cut = text.slice(from, from + SNIPPET_CHARS);
  return `${from > 0 ? '… ' : ''}${cut}${from + SNIPPET_CHARS < text.length ? ' …' : ''}`;
}
