import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalText } from '#judge/canonical-text';

/** Each is a tree of dozens of values. */
const RUNS = 300;

const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const value = fc.oneof(leaf, fc.constant(null), fc.constant(undefined), fc.array(fc.array(leaf)));
const name = fc.stringMatching(/^[A-Za-z_]\w{0,8}$/);
const { object } = fc.letrec((tie) => ({
  object: fc.dictionary(name, fc.oneof({ maxDepth: 2 }, value, tie('object'))),
}));

describe('the canonical text that is signed', () => {
  it('is that of RFC 8785, as the library writes it that verifies', () => {
    const property = fc.property(object, (one) => {
      expect(canonicalText(one)).to.equal(canonicalize(one));
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('does not exist for half a character', () => {
    expect(() => canonicalText({ question: 'a\ud800' })).to.throw(/half a character/);
  });
});
