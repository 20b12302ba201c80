import { expect } from 'chai';
import fc from 'fast-check';
import { withPaid } from '#api/paid';
import { PROPERTY_RUNS } from '#test/support/size';

const HOSTILE = [
  '"},"paid":{"credits_used":0',
  '\\',
  '\\"',
  '\u0000\u001f\b\t\n\r',
  '\u2028\u2029</script>',
  '\ud800 and \udfff alone',
  '🗳️ Will “it” – é é – be 100 %?',
  '__proto__',
  '',
];
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }));

describe('the text of a paid answer', () => {
  it('has `paid` as JSON.stringify writes it, in either lane', () => {
    const receipts = fc.record({ price_paid_usdc: hostile, transaction: hostile, network: hostile, receipt: hostile });
    const credits = fc.record(
      { credits_used: fc.maxSafeNat(), credits_remaining: fc.maxSafeNat() },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.oneof(credits, receipts), fc.constantFrom({}, { ok: true, note: '"}' }), (paid, answer) => {
        expect(withPaid(JSON.stringify(answer), paid)).to.equal(JSON.stringify({ ...answer, paid }));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
