import type { DocsTable } from '#api/docs-page';

/** Returns a Markdown table. */
export function toMarkdown({ head, rows }: DocsTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(({ cells }) => line(cells))].join('\n');
}

/** Returns a table of rows that no link leads to. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): DocsTable {
  return { head, rows: rows.map((cells) => ({ cells })) };
}
