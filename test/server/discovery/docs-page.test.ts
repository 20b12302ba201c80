import { expect } from 'chai';
import { DOCS_PATHS } from '#api/docs-paths';
import { ENDPOINTS } from '#api/endpoints';
import { ERROR_TEXTS } from '#api/error-texts';
import { STATUS_OF } from '#api/errors';
import type { RenderedPage } from '#api/pages';
import { CREDIT_PACK_AMOUNT_MICROS, PRICES, toPriceText } from '#api/prices';
import { openPages } from '#compose/pages';
import { docsPages } from '#discovery/docs/docs-pages';
import { TOOL_QUERIES } from '#discovery/openapi/parameters';
import { CONFIG, OPENAPI } from '#test/support/discovery';

/** What a reader sees, without white space that is none. */
function textOf(html: string): string {
  const text = html.replaceAll(/<[^>]+>/g, ' ');
  const signs: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&amp;': '&',
    '&#39;': "'",
  };
  return text.replaceAll(/&(?:lt|gt|quot|amp|#39);/g, (sign) => signs[sign]!).replaceAll(/\s+/g, ' ');
}
const plain = (markdown: string) => markdown.replaceAll(/[`*]/g, ' ').replaceAll(/\s+/g, ' ').trim();

describe('the documentation page', () => {
  let pages: readonly RenderedPage[];
  /** All pages, one after the other. */
  let html: string;
  let shown: string;

  before(async () => {
    const { documents } = await openPages({ ...CONFIG, docs: (sdk) => docsPages(CONFIG, sdk) });
    pages = documents.filter(({ path }) => DOCS_PATHS.includes(path));
    html = pages.map((page) => page.html).join('');
    shown = textOf(html);
  });

  /** What stands between the heading with this id and the next one. */
  const sectionOf = (id: string) =>
    textOf(html.split(` id="${id}"`)[1]!.split(/<h3|<aside class="samples"|<nav class="contents"/)[0]!);

  it('has each endpoint with its description, its parameters and all its answers', () => {
    for (const { operationId, method, path, description } of ENDPOINTS) {
      const section = sectionOf(operationId);
      expect(section).to.include(`${method} ${path}`).and.to.include(plain(description));
      const { parameters = [], responses } = OPENAPI.paths[path]![method.toLowerCase()]!;
      for (const { name, description = '' } of parameters) {
        expect(section, name).to.include(name).and.to.include(plain(description));
      }
      for (const status of Object.keys(responses)) expect(section, status).to.include(` ${status} `);
    }
  });

  it('has each parameter of each tool', () => {
    const all = Object.values(TOOL_QUERIES).flatMap((query) => Object.entries(query));
    expect(all.length).to.be.above(8);
    for (const [name, { description = '' }] of all) {
      expect(shown, name).to.include(` ${name} `).and.to.include(plain(description));
    }
  });

  it('has each error with its status and what to do, in a row that a link leads to', () => {
    for (const [code, status] of Object.entries(STATUS_OF)) {
      const [, row = ''] = new RegExp(`<tr id="${code}">(.*?)</tr>`).exec(html) ?? [];
      expect(textOf(row), code)
        .to.include(String(status))
        .and.to.include(code)
        .and.to.include(ERROR_TEXTS[code as keyof typeof ERROR_TEXTS]);
    }
  });

  it('has each price in both lanes', () => {
    for (const [tool, { amountMicros, credits }] of Object.entries(PRICES)) {
      expect(shown).to.include(` ${tool} ${toPriceText(amountMicros)} ${credits} `);
    }
    expect(shown).to.include(`credit pack ${toPriceText(CREDIT_PACK_AMOUNT_MICROS)}`);
  });

  it('has each form of an answer with all its fields', () => {
    for (const [name, schema] of Object.entries(OPENAPI.components.schemas)) {
      const section = sectionOf(name);
      const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
      for (const [field, { description = '' }] of Object.entries(properties)) {
        expect(section, name).to.include(` ${field} `).and.to.include(plain(description));
      }
    }
  });

  it('has headings that are links to themselves', () => {
    const headings = [...html.matchAll(/<h[23] id="([^"]+)"><a href="#([^"]+)">/g)];
    expect(headings).to.have.length.above(40);
    for (const [, id, link] of headings) expect(link).to.equal(id);
  });

  it('has no link to a place of its pages that is not there, and each id once on its page', () => {
    const idsOf = (page: RenderedPage) => [...page.html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    const places = new Set(pages.flatMap((page) => idsOf(page).map((id) => `${page.path}#${id}`)));
    for (const page of pages) {
      const linked = [...page.html.matchAll(/ href="((?:\/docs[^"#]*)?#[^"]+)"/g)].map(([, link]) => link!);
      const whole = linked.map((link) => (link.startsWith('#') ? `${page.path}${link}` : link));
      expect(
        whole.filter((link) => !places.has(link)),
        page.path,
      ).to.deep.equal([]);
      expect(new Set(idsOf(page)).size, page.path).to.equal(idsOf(page).length);
    }
  });

  it('names each page in the contents of each', () => {
    for (const page of pages) {
      for (const path of DOCS_PATHS) expect(page.html, `${path} on ${page.path}`).to.include(`href="${path}"`);
    }
  });

  it('leaves no mark of Markdown and no hole where a fact should be', () => {
    const prose = textOf(html.replaceAll(/<(pre|code)\b.*?<\/\1>/gs, ''));
    expect(prose.match(/.{20}(?:`|\*\*|\]\(|undefined|\[object|NaN).{20}/g)).to.equal(null);
  });
});
