import type { DocsTable } from '#api/docs-page';

/** Returns a Markdown table. `hasAnchors`: a link can lead to each row that has an id. */
export function toMarkdown({ head, rows }: DocsTable, { hasAnchors = false } = {}): string {
  const anchorOf = (id: string | undefined) => (hasAnchors && id !== undefined ? `<a id="${id}"></a>` : '');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const row = ({ cells: [first = '', second = '', ...rest], id }: DocsTable['rows'][number]) =>
    line([first, anchorOf(id) + second, ...rest]);
  return [line(head), line(head.map(() => '---')), ...rows.map(row)].join('\n');
}

/** Returns a table of rows that no link leads to. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): DocsTable {
  return { head, rows: rows.map((cells) => ({ cells })) };
}
