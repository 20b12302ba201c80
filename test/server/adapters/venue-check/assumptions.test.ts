import { expect } from 'chai';
import { ASSUMPTIONS } from '#adapters/venue-check/assumptions/assumptions';
import { markdownPages } from '#test/support/source-tree';

const textOf = (page: string) => markdownPages().find(({ path }) => path === page)!.text;
const table = textOf('src/server/adapters/venue-check/README.md');
const [before] = textOf('docs/venue.md').split(/^## Assumptions$/m);

/** Numbers in a text, of the form "(A7)", "(A7, A9)" or "(measured; A7)". */
function cited(page: string): readonly number[] {
  return [...page.matchAll(/\((?:[^()]*;\s+)?(A\d+(?:,\s+A\d+)*)\)/g)].flatMap(([, list]) =>
    list!.split(/,\s+/).map((name) => Number(name.slice(1))),
  );
}

describe('the assumptions about the venue', () => {
  it('lists what the venue is asked, by the same numbers and in the same words', () => {
    const rows = [...table.matchAll(/^\| A(\d+) \| (.+) \| (.+) \|$/gm)].map(([, id, what, asked]) => ({
      id: Number(id),
      text: what!,
      asked: asked!,
    }));
    expect(rows).to.deep.equal(ASSUMPTIONS.map(({ id, text: what, asked }) => ({ id, text: what, asked })));
  });

  it('numbers them from 1 without gaps', () => {
    expect(ASSUMPTIONS.map(({ id }) => id)).to.deep.equal(ASSUMPTIONS.map((_, i) => i + 1));
  });

  it('has each of them cited where the page relies on it, and cites no other', () => {
    const numbers = new Set(cited(before!));
    expect([...numbers].toSorted((a, b) => a - b)).to.deep.equal(ASSUMPTIONS.map(({ id }) => id));
  });
});
