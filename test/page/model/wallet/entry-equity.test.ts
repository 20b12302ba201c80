import { expect } from 'chai';
import { entryEquity, profitText } from '#page/model/wallet/entry-equity';
import { newEvidenceFixture } from '#test/support/evidence-fixture';
import { ratingWithEvidence } from '#test/support/evidenced-ratings';
import { AS_OF_S } from '#test/support/sample-ratings';
import { frameOf, SKILLED_WALLET, skilledWallet } from '#test/support/skilled-wallet';

// biome-ignore lint/suspicious/noExplicitAny: tests take answers apart.
type Json = any;

describe("the picture of a copier's profit, entry by entry", () => {
  const fixture = newEvidenceFixture();
  let payload: Json;

  before(async () => {
    const asked = { wallet: SKILLED_WALLET, ...skilledWallet(), frame: frameOf(AS_OF_S) };
    ({ payload } = JSON.parse((await ratingWithEvidence(asked, fixture))!).evidence);
  });
  after(() => fixture.remove());

  it('goes from nothing at the begin of the window to the total at its end, a step for each entry', () => {
    const { line, zeroY, entries, last, months } = entryEquity(payload)!;
    expect(line).to.have.length(2 * entries + 2);
    expect(line[0]).to.deep.equal({ x: 0, y: zeroY });
    expect(line.at(-1)).to.deep.equal({ x: 1, y: last.y });
    for (const { x, y } of line) {
      expect(x).to.be.within(0, 1);
      expect(y).to.be.within(0, 1);
    }
    expect(months.at(-1)!.totalUsd).to.equal(last.totalUsd);
  });

  it('has three months, and each entry in one of them', () => {
    const { months, entries, last } = entryEquity(payload)!;
    expect(months.map(({ name }) => name)).to.deep.equal(['Older', 'In sample', 'Out of sample']);
    expect(months[0]!.from).to.equal(0);
    expect(months[2]!.to).to.equal(1);
    expect(months.reduce((sum, month) => sum + month.entries, 0)).to.equal(entries);
    expect(months.reduce((sum, month) => sum + month.profitUsd, 0)).to.be.closeTo(last.totalUsd, 1e-9);
  });

  it('is not drawn without entries, without one that counts, and from another form', () => {
    const changed = (change: (basis: Json) => void) => {
      const copy = structuredClone(payload);
      change(copy.basis);
      return entryEquity(copy);
    };
    expect(changed((basis) => Object.assign(basis, { entries: null, entries_omitted: 2_001 }))).to.equal(null);
    expect(changed((basis) => basis.entries.price_micros.fill(990_000))).to.equal(null);
    expect(changed((basis) => basis.entries.clips.pop())).to.equal(null);
    expect(entryEquity({ kind: 'another' })).to.equal(null);
    expect(entryEquity(undefined)).to.equal(null);
  });

  it('says dollars with their sign', () => {
    expect([1_132.46, -5, 0].map(profitText)).to.deep.equal(['+1,132.5 USD', '\u22125.0 USD', '0.0 USD']);
  });
});
