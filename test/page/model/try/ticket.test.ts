import { expect } from 'chai';
import fc from 'fast-check';
import { parseTokenId } from '#domain/ids';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { judge, type Scene } from '#page/model/order/judge';
import { slippagePart } from '#page/model/order/ticket';
import { arbitraryQuestion } from '#test/support/arbitrary-books';

const SEED = Number(process.env.SEED ?? 23);

const sceneOf = ({ market, book, bookAgeMs }: OrderQuestion): Scene => ({
  shown: { slug: 's', question: 'q', minOrderShares: market.minOrderShares, matchingDelayS: 0 },
  outcome: { label: 'Yes', tokenId: parseTokenId('1')! },
  market,
  sides: book,
  bookAgeMs,
});
const number = (text: string) => Number(text.replaceAll(/[^\d.-]/g, ''));

describe('the order in money', () => {
  it('adds the fee to a BUY and takes it from a SELL, and a share pays one dollar', () => {
    fc.assert(
      fc.property(arbitraryQuestion, ({ side, usd, thresholds, ...rest }) => {
        const scene = sceneOf({ side, usd, thresholds, ...rest });
        const { ticket, body } = judge({ side, usd, thresholds }, scene, 0);
        const { taker_fee_usd: fee, visible_depth_usd: depth, expected_vwap: vwap } = body.numbers;
        const filled = ticket.filled === null ? usd : number(ticket.filled.exact);
        expect(filled).to.be.closeTo(Math.min(usd, depth), 0.011);
        expect(number(ticket.total.exact)).to.be.closeTo(side === 'BUY' ? filled + fee : filled - fee, 1e-4);
        expect(number(ticket.payout.exact)).to.equal(number(ticket.shares.exact));
        const shares = number(ticket.shares.exact);
        expect(shares * vwap).to.be.closeTo(filled, shares * 1e-6 + 1e-4);
        if (vwap === 0) expect(ticket.averagePrice).to.equal(null);
      }),
      { seed: SEED },
    );
  });

  it('marks a slippage on the side of the limit that decided', () => {
    const limits = { cautionC: 1, vetoC: 3 };
    const parts = [0, 0.5, 1, 2, 3, 4, 90].map((cents) => slippagePart(cents, limits));
    expect(parts).to.deep.equal([0, 0.125, 0.25, 0.5, 0.75, 1, 1]);
    expect(slippagePart(0, { cautionC: 0, vetoC: 0 })).to.equal(0);
    expect(slippagePart(0.1, { cautionC: 0, vetoC: 0 })).to.equal(1);
    expect(slippagePart(2, { cautionC: 2, vetoC: 2 })).to.equal(0.25);
  });
});
