import type { DocsEntry, DocsPage, DocsPart, DocsSection } from '#api/docs-page';

/** Words below a heading that a search looks through; the rest says little that is new. */
const TEXT_MAX = 1_500;

/** Returns what a search of the documentation can find. */
export function docsEntries(pages: readonly DocsPage[]): readonly DocsEntry[] {
  return pages.flatMap(({ path, title, sections }) => sections.flatMap((section) => ofSection(section, path, title)));
}

function ofSection(section: DocsSection, path: string, page: string): readonly DocsEntry[] {
  const text = section.parts.map(wordsOf).join(' ').replaceAll(/\s+/g, ' ').slice(0, TEXT_MAX);
  const rows = section.parts.flatMap((part) => (part.kind === 'table' ? part.table.rows : []));
  return [
    { url: `${path}#${section.id}`, title: section.title, page, text },
    ...rows.flatMap(({ id, cells }) =>
      id === undefined ? [] : [{ url: `${path}#${id}`, title: id, page, text: plain(cells.join(' ')) }],
    ),
    ...(section.sections ?? []).flatMap((inner) => ofSection(inner, path, page)),
  ];
}

function wordsOf(part: DocsPart): string {
  if (part.kind === 'code') return '';
  if (part.kind === 'text') return plain(part.markdown);
  return part.table.rows.map(({ cells }) => plain(cells.join(' '))).join(' ');
}

/** Markdown as it is read. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}
