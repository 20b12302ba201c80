import { expect } from 'chai';
import { DOCS_PATHS } from '#api/docs-paths';
import { PAGE_PATHS } from '#api/pages';
import { openPages } from '#compose/pages';
import { docsPages } from '#discovery/docs/docs-pages';
import type { Pages } from '#http/routes/page.routes';
import { TERMS } from '#test/server/http/support/door';
import { CONFIG } from '#test/support/discovery';

describe('the pages that are built', () => {
  let pages: Pages;

  before(async () => {
    pages = await openPages({ ...TERMS, supportEmail: CONFIG.supportEmail, docs: (sdk) => docsPages(CONFIG, sdk) });
  });

  it('are all there', () => {
    expect(pages.documents.map(({ path }) => path)).to.have.members([
      ...new Set([...Object.values(PAGE_PATHS), ...DOCS_PATHS]),
    ]);
  });

  it('hold nothing that their policy forbids', () => {
    const forbidden = pages.documents.flatMap(({ path, html }) =>
      [/<style/, /\sstyle="/, /\son\w+="/, /<script(?![^>]*\s(?:src|type="application\/json"))/, /(?:src|href)="http/]
        .filter((pattern) => pattern.test(html))
        .map((pattern) => `${path}: ${pattern}`),
    );
    expect(forbidden).to.deep.equal([]);
  });

  it('load only files that are served', () => {
    const served = pages.assets.map(({ path }) => path);
    const loaded = pages.documents.flatMap(({ html }) => html.match(/\/assets\/[^"]+/g) ?? []);
    expect(served).to.include.members(loaded);
    expect(loaded.length).to.be.at.least(2 * pages.documents.length);
  });
});
