import { expect } from 'chai';
import fc from 'fast-check';
import { nextRefreshOf, nextRefreshOfText, withPaid } from '#api/written-answer';
import { PROPERTY_RUNS } from '#test/support/size';

const REFRESH_S = Date.parse('2026-07-14T04:30:00Z') / 1e3;

describe('the next refresh of an answer', () => {
  const cases: readonly [string, object, number | null][] = [
    ['is the moment that it names', { ok: true, next_refresh_at: '2026-07-14T04:30:00Z' }, REFRESH_S],
    ['is not known where it names none', { verdict: 'QUEUED' }, null],
    ['is not known where it is no text', { next_refresh_at: null }, null],
    ['is not read out of another text', { name: '"next_refresh_at":"2027-01-01T00:00:00Z"' }, null],
  ];
  for (const [title, answer, expected] of cases) {
    it(title, () => {
      expect(nextRefreshOf(answer)).to.equal(expected);
      expect(nextRefreshOfText(JSON.stringify(answer))).to.equal(expected);
    });
  }
});

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
