/** What the search of the documentation is made from. */
export const DOCS_INDEX_PATH = '/docs/index.json';

/**
 * A table of the documents. Cells are text in the Markdown of /llms.txt (`code`, **bold**, links),
 * which the page reads as well.
 */
export interface DocsTable {
  readonly head: readonly string[];
  readonly rows: readonly DocsRow[];
}

interface DocsRow {
  readonly cells: readonly string[];
  /** Where a link to this row leads. */
  readonly id?: string;
}

export type DocsPart =
  | { readonly kind: 'text'; readonly markdown: string }
  | { readonly kind: 'table'; readonly caption: string; readonly table: DocsTable }
  | { readonly kind: 'code'; readonly text: string };

/** A part of the documentation page under a heading of its own. */
export interface DocsSection {
  /** Fragment of its address. */
  readonly id: string;
  readonly title: string;
  readonly parts: readonly DocsPart[];
  readonly sections?: readonly DocsSection[];
  /** The same request in several languages, shown beside the text. */
  readonly samples?: readonly DocsSample[];
  /** An answer to it, as JSON. */
  readonly answer?: string;
  /** Folded up until somebody opens it, or follows a link into it. */
  readonly isFolded?: boolean;
}

export interface DocsSample {
  readonly language: 'curl' | 'TypeScript' | 'Python' | 'MCP';
  readonly text: string;
}

/** A page of the documentation. */
export interface DocsPage {
  readonly path: string;
  /** What its link is called in the contents. */
  readonly title: string;
  readonly heading: string;
  readonly group: 'Guides' | 'Endpoints';
  readonly sections: readonly DocsSection[];
}

/** What a search finds: a heading, where it is, and the words below it. */
export interface DocsEntry {
  readonly url: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}
