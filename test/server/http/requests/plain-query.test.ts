import { parse } from 'node:querystring';
import { expect } from 'chai';
import fc from 'fast-check';
import { readPlainQuery } from '#http/requests/plain-query';
import { PROPERTY_RUNS } from '#test/support/size';

const PATH = '/api/preflight_trade';

/** As Express's simple parser reads it. */
const parsed = (query: string) => ({ ...parse(query) });
const plain = (query: string) => {
  const read = readPlainQuery(`${PATH}?${query}`);
  return read === null ? null : { ...read };
};

describe('a plain query', () => {
  for (const query of ['', 'a=1', 'token_id=7&side=BUY&usd=100.5', 'a=', 'a=~.-_&b=0', 'toString=1', 'constructor=x']) {
    it(`is read as Express reads it: "${query}"`, () => {
      expect(plain(query)).to.deep.equal(parsed(query));
    });
  }

  it('may be missing', () => {
    expect({ ...readPlainQuery(PATH) }).to.deep.equal({});
  });

  for (const query of [
    'a',
    '=1',
    'a=1&',
    '&a=1',
    'a=1&&b=2',
    'a=1&a=2',
    'a=b=c',
    'a=%41',
    'a=1+2',
    'a=é',
    '__proto__=1',
    '?a=1',
    'a=1#b',
  ]) {
    it(`is left to Express in any other form: "${query}"`, () => {
      expect(plain(query)).to.equal(null);
    });
  }

  for (const target of [
    '/a#f?x=1',
    '/a#?sandbox=1',
    `${PATH}?${Array.from({ length: 101 }, (_, n) => `p${n}=1`).join('&')}`,
  ]) {
    it(`is left to Express in a target like ${target.slice(0, 30)}`, () => {
      expect(readPlainQuery(target)).to.equal(null);
    });
  }

  it('has nothing that was not in it', () => {
    const read = readPlainQuery(`${PATH}?a=1`)!;
    for (const name of ['toString', 'constructor', 'hasOwnProperty', '__proto__'])
      expect(name in read, name).to.equal(false);
  });

  it('is read on its own, whatever names the one before it had', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'side', 'sid', 'token_id', '1', '0', 'toString'), {
      maxLength: 4,
    });
    const property = fc.property(fc.array(names), (queries) => {
      queries.forEach((own, at) => {
        const query = own.map((name, n) => `${name}=${at}${n}`).join('&');
        const isPlain = new Set(own).size === own.length;
        expect(plain(query), query).to.deep.equal(isPlain ? parsed(query) : null);
      });
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it('says what Express says, or nothing, whatever the target is', () => {
    const piece = fc.oneof(
      fc.constantFrom('a', 'b', 'side', 'BUY', '=', '&', '?', '%', '+', '.', '__proto__'),
      fc.string({ maxLength: 2 }),
    );
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = pieces.join('');
      const read = plain(query);
      if (read !== null) expect(read).to.deep.equal(parsed(query));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
