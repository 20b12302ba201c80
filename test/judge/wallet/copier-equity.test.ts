import { expect } from 'chai';
import fc from 'fast-check';
import type { RatingBasis } from '#api/wallets/wallet-evidence';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { copierEquity } from '#judge/wallet/copier-equity';
import { arbitraryTape } from '#test/support/arbitrary-tapes';
import { rateWithBasis } from '#test/support/evidenced-ratings';
import { AS_OF_S } from '#test/support/sample-ratings';
import { EVIDENCE_RUNS } from '#test/support/size';
import { frameOf, SKILLED_WALLET, skilledWallet } from '#test/support/skilled-wallet';

const rated = (asked: Omit<Parameters<typeof rateWithBasis>[0], 'frame'>, asOfS: number) => {
  const { stored, basis } = rateWithBasis({ ...asked, frame: frameOf(asOfS) });
  return { rating: stored.rating, basis: JSON.parse(basis) as RatingBasis };
};

describe("the copier's profit, entry by entry", () => {
  it('adds up to what the rating says of the entries that pass the filter, on any tape', () => {
    let counted = 0;
    const property = fc.property(arbitraryTape({ wallets: 1, conditions: 60, starts: 200 }), (tape) => {
      const { fills, markets, asOfS } = tape;
      const [wallet = '0xw1'] = fills.map((fill) => fill.wallet);
      const { rating, basis } = rated({ wallet, fills, markets }, asOfS);
      const { steps, stakeUsd } = copierEquity(basis)!;
      const { entries, roiFee } = rating.window;
      expect(steps).to.have.length(entries);
      expect(steps.at(-1)?.totalUsd ?? 0).to.be.closeTo(stakeUsd * entries * (roiFee ?? 0), 1e-6);
      const times = steps.map(({ settledAtS }) => settledAtS);
      expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
      counted += entries;
    });
    fc.assert(property, { numRuns: EVIDENCE_RUNS });
    expect(counted, 'entries that pass the filter').to.be.above(EVIDENCE_RUNS);
  });

  it('has a step of one stake for each entry, in the order in which they were settled', () => {
    const { fills, markets } = skilledWallet();
    // The first entry is settled last.
    const late = { ...markets.get('c0')!, resolvedAtS: AS_OF_S - 60 };
    const { basis } = rated({ wallet: SKILLED_WALLET, fills, markets: new Map([...markets, ['c0', late]]) }, AS_OF_S);
    const { steps, stakeUsd } = copierEquity(basis)!;
    expect(stakeUsd).to.equal(RATING_CONFIG.stakeUsd);
    expect(steps).to.have.length(150);
    expect(steps.at(-1)!.settledAtS).to.equal(AS_OF_S - 60);
    const [first, second] = steps;
    expect(second!.totalUsd).to.be.closeTo(first!.profitUsd + second!.profitUsd, 1e-9);
    // Bought by the copier at 0.421, won, with a fee of 3% of what a share may still win.
    expect(first!.profitUsd).to.be.closeTo(5 * (1 / 0.421 - 1 - 0.03 * (1 - 0.421)), 1e-6);
  });

  it('is not there where the entries were left out', () => {
    const { basis } = rated({ wallet: SKILLED_WALLET, ...skilledWallet() }, AS_OF_S);
    expect(copierEquity({ ...basis, entries: null, entries_omitted: 2_001 })).to.equal(null);
  });
});
