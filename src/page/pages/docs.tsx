import type { DocsPage } from '#api/docs-page';
import { PAGE_PATHS } from '#api/pages';
import { DocsSearch } from '../parts/docs/search.js';
import { Island } from '../parts/island.js';
import { Section } from '../parts/reference/section.js';

interface DocsViewProps {
  readonly pages: readonly DocsPage[];
  readonly page: DocsPage;
}

/**
 * A page of the documentation, out of the tables that the documents for programs are made of. Only
 * the search needs a script.
 */
export function DocsView({ pages, page }: DocsViewProps) {
  const isStart = page.path === PAGE_PATHS.docs;
  return (
    <div class="docs">
      <div class="find">
        <Island id="search" of={DocsSearch} props={{}} />
        <a class="to-contents" href="#contents">
          All pages
        </a>
      </div>
      <div class="reference">
        <h1>{isStart ? 'Documentation' : page.heading}</h1>
        {isStart && (
          <p>
            Everything that is served, out of the same tables as <a href="/openapi.json">/openapi.json</a> and{' '}
            <a href="/llms.txt">/llms.txt</a>. If the venue refused an order, see{' '}
            <a href={PAGE_PATHS.refusals}>why, and what to change</a>.
          </p>
        )}
        {page.sections.map((section) => (
          <Section {...section} />
        ))}
        <Turn pages={pages} page={page} />
      </div>
      <nav class="contents" id="contents" aria-label="Documentation">
        {(['Guides', 'Endpoints'] as const).map((group) => (
          <>
            <h2>{group}</h2>
            <ul>
              {pages
                .filter((one) => one.group === group)
                .map(({ path, title }) => (
                  <li>
                    <a href={path} aria-current={path === page.path ? 'page' : undefined}>
                      {title}
                    </a>
                  </li>
                ))}
              {group === 'Guides' && (
                <li>
                  <a href={PAGE_PATHS.refusals}>Refused orders</a>
                </li>
              )}
            </ul>
          </>
        ))}
      </nav>
    </div>
  );
}

/** The way to the pages before and after. */
function Turn({ pages, page }: DocsViewProps) {
  const at = pages.indexOf(page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return (
    <p class="turn">
      {before !== undefined && <a href={before.path}>← {before.title}</a>}
      {after !== undefined && <a href={after.path}>{after.title} →</a>}
    </p>
  );
}
