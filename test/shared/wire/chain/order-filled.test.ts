import { expect } from 'chai';
import { hex40 } from '#test/support/trade-rows';
import { type OrderFilled, toFilledRow } from '#wire/chain/order-filled';

const EXCHANGE = hex40(0xee);
const NOT_WALLETS = new Set([EXCHANGE]);
const V1: OrderFilled = {
  version: 1,
  maker: hex40(0xab).toUpperCase().replace('X', 'x'),
  makerAssetId: 0n,
  takerAssetId: 77n,
  makerAmountFilled: 4_200_000n,
  takerAmountFilled: 10_000_000n,
};
const V2: OrderFilled = {
  version: 2,
  maker: hex40(0xab),
  side: 0,
  tokenId: 77n,
  makerAmountFilled: 4_200_000n,
  takerAmountFilled: 10_000_000n,
};
const BOUGHT = { wallet: hex40(0xab), token: '77', side: 'BUY', sizeMicros: 10_000_000, priceMicros: 420_000 };

describe('an OrderFilled event', () => {
  it('is a purchase where collateral was given', () => {
    expect(toFilledRow(V1, NOT_WALLETS)).to.deep.equal(BOUGHT);
    expect(toFilledRow(V2, NOT_WALLETS)).to.deep.equal(BOUGHT);
  });

  it('is a sale where shares were given', () => {
    const sold = { ...BOUGHT, side: 'SELL', sizeMicros: 4_200_000, priceMicros: 1_000_000 };
    const amounts = { makerAmountFilled: 4_200_000n, takerAmountFilled: 4_200_000n };
    expect(toFilledRow({ ...V1, makerAssetId: 77n, takerAssetId: 0n, ...amounts }, NOT_WALLETS)).to.deep.equal(sold);
    expect(toFilledRow({ ...V2, side: 1, ...amounts }, NOT_WALLETS)).to.deep.equal(sold);
  });

  it('rounds collateral over shares to the nearest micro', () => {
    const price = (collateral: bigint, shares: bigint) =>
      toFilledRow({ ...V2, makerAmountFilled: collateral, takerAmountFilled: shares }, NOT_WALLETS)?.priceMicros;
    expect(price(1n, 3n)).to.equal(333_333);
    expect(price(2n, 3n)).to.equal(666_667);
    expect(price(1n, 400_000n)).to.equal(3);
  });

  const none: readonly (readonly [string, OrderFilled])[] = [
    ['of an exchange', { ...V2, maker: EXCHANGE.toUpperCase().replace('X', 'x') }],
    ['without collateral on either side', { ...V1, makerAssetId: 76n }],
    ['with collateral on both sides', { ...V1, takerAssetId: 0n }],
    ['of token 0', { ...V2, tokenId: 0n }],
    ['of an unknown side', { ...V2, side: 2 }],
    ['of no shares', { ...V2, takerAmountFilled: 0n }],
    ['for nothing', { ...V2, makerAmountFilled: 0n }],
    ['above a dollar a share', { ...V2, makerAmountFilled: 10_000_006n }],
    ['below half a micro a share', { ...V2, makerAmountFilled: 1n, takerAmountFilled: 10_000_000n }],
    ['of more shares than can be counted', { ...V2, makerAmountFilled: 2n ** 60n, takerAmountFilled: 2n ** 60n }],
  ];
  for (const [what, event] of none) {
    it(`${what} is no row of a wallet`, () => expect(toFilledRow(event, NOT_WALLETS)).to.equal(null));
  }
});
