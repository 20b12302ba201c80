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
}
