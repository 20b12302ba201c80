import type { DocsPage, DocsPart, DocsSection } from '#api/docs-page';
import { endpointDocsPath, GUIDE_PATHS } from '#api/docs-paths';
import { ENDPOINTS } from '#api/endpoints';
import type { DiscoveryConfig } from '../discovery-file.js';
import { docsSections } from './docs-sections.js';

/** What is on each guide, by the ids of the sections. */
const GUIDES: readonly (readonly [name: keyof typeof GUIDE_PATHS, title: string, ids: readonly string[]])[] = [
  ['start', 'Start here', ['start', 'endpoints', 'verdicts', 'rehearse', 'versions']],
  ['payments', 'Payments', ['prices', 'paying']],
  ['mcp', 'MCP', ['mcp']],
  ['errors', 'Errors', ['errors']],
  ['verify', 'Verify', ['evidence']],
  ['limits', 'Plan and limits', ['plan', 'limits']],
  ['schemas', 'Schemas', ['forms']],
];

/**
 * Returns the pages of the documentation: guides, and one for each endpoint. Links between sections
 * lead from page to page. `sdk`: the name of its package.
 */
export function docsPages(config: DiscoveryConfig, sdk: string): readonly DocsPage[] {
  const sections = docsSections(config, sdk);
  const byId = new Map(sections.map((section) => [section.id, section]));
  const endpoints = byId.get('endpoints')!;
  const guides = GUIDES.map(([name, title, ids]): DocsPage => {
    const found = ids.map((id) => byId.get(id)!);
    // Endpoints have a page each: the start page lists them.
    const shown = found.map(({ sections: inner = [], ...section }) =>
      section.id === endpoints.id ? section : { ...section, sections: inner },
    );
    return { path: GUIDE_PATHS[name], title, heading: title, group: 'Guides', sections: shown };
  });
  const pages = ENDPOINTS.map(({ operationId, method, path, summary }): DocsPage => {
    const section = endpoints.sections!.find(({ id }) => id === operationId)!;
    return {
      path: endpointDocsPath(operationId),
      title: `${method} ${path}`,
      heading: summary,
      group: 'Endpoints',
      sections: [section],
    };
  });
  const all = [...guides, ...pages];
  const places = new Map(all.flatMap((page) => idsOn(page).map((id) => [id, page.path] as const)));
  return all.map((page) => withLinks(page, places));
}

function idsOn({ sections }: { readonly sections: readonly DocsSection[] }): readonly string[] {
  return sections.flatMap(({ id, parts, sections: inner = [] }) => [
    id,
    ...parts.flatMap((part) => (part.kind === 'table' ? part.table.rows.flatMap((row) => row.id ?? []) : [])),
    ...idsOn({ sections: inner }),
  ]);
}

/** A link to a place on another page names that page. */
function withLinks(page: DocsPage, places: ReadonlyMap<string, string>): DocsPage {
  const linked = (markdown: string) =>
    markdown.replaceAll(/\]\(#([\w-]+)\)/g, (link, id: string) => {
      const path = places.get(id);
      return path === undefined || path === page.path ? link : `](${path}#${id})`;
    });
  const part = (one: DocsPart): DocsPart => {
    if (one.kind === 'code') return one;
    if (one.kind === 'text') return { ...one, markdown: linked(one.markdown) };
    const rows = one.table.rows.map((row) => ({ ...row, cells: row.cells.map(linked) }));
    return { ...one, table: { ...one.table, rows } };
  };
  const section = (one: DocsSection): DocsSection => ({
    ...one,
    parts: one.parts.map(part),
    ...(one.sections !== undefined && { sections: one.sections.map(section) }),
  });
  return { ...page, sections: page.sections.map(section) };
}
