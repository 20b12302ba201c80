import type { DocsSection } from '#api/docs-page';
import { PAGE_PATHS } from '#api/pages';
import type { PageProps } from '../parts/page-props.js';
import { Section } from '../parts/reference/section.js';

/**
 * The documentation, out of the tables that the documents for programs are made of. It needs no
 * script.
 */
export function Docs({ facts, assets }: PageProps) {
  const sections = facts.docs(assets.sdk);
  return (
    <div class="docs">
      <nav class="contents" aria-label="Contents">
        <Contents sections={sections} />
      </nav>
      <div class="reference">
        <h1>Documentation</h1>
        <p>
          Everything that is served, out of the same tables as <a href="/openapi.json">/openapi.json</a> and{' '}
          <a href="/llms.txt">/llms.txt</a>. If the venue refused an order, see{' '}
          <a href={PAGE_PATHS.refusals}>why, and what to change</a>.
        </p>
        {sections.map((section) => (
          <Section {...section} />
        ))}
      </div>
    </div>
  );
}

function Contents({ sections }: { readonly sections: readonly DocsSection[] }) {
  return (
    <ul>
      {sections.map(({ id, title, sections: inner = [] }) => (
        <li>
          <a href={`#${id}`}>{title}</a>
          {inner.length === 0 ? null : <Contents sections={inner} />}
        </li>
      ))}
    </ul>
  );
}
