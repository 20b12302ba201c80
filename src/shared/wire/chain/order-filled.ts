import { parseWallet, type WalletAddress } from '#domain/ids';
import type { Side } from '#domain/market';

/**
 * An `OrderFilled` event of an exchange contract, as far as it shows what one wallet did. Amounts
 * in units of 1e-6.
 */
export type OrderFilled =
  | {
      /** Until 2026-04-28: the assets say which side it was; asset 0 is the collateral. */
      readonly version: 1;
      readonly maker: string;
      readonly makerAssetId: bigint;
      readonly takerAssetId: bigint;
      readonly makerAmountFilled: bigint;
      readonly takerAmountFilled: bigint;
    }
  | {
      readonly version: 2;
      readonly maker: string;
      /** 0 buys, 1 sells. */
      readonly side: number;
      readonly tokenId: bigint;
      readonly makerAmountFilled: bigint;
      readonly takerAmountFilled: bigint;
    };

/** One wallet's own row of a match. */
export interface FilledRow {
  readonly wallet: WalletAddress;
  readonly token: string;
  readonly side: Side;
  readonly sizeMicros: number;
  readonly priceMicros: number;
}

/**
 * Returns what the wallet of an `OrderFilled` event did, or null if the event is no order of a
 * wallet. A match emits one event for each maker and one for the taker, whose `taker` is the
 * exchange: in each of them `maker` is the wallet whose order it is, so that one event is one row
 * and nothing is counted twice (docs/venue.md, "Exchange contracts"). Contracts in `notWallets`
 * (lower case) are exchanges and operators. The price is collateral over shares, rounded half up.
 */
export function toFilledRow(event: OrderFilled, notWallets: ReadonlySet<string>): FilledRow | null {
  const wallet = parseWallet(event.maker);
  const legs = event.version === 1 ? legsOfV1(event) : legsOfV2(event);
  if (legs === null || wallet === null || notWallets.has(wallet)) return null;
  const { token, side, collateral, shares } = legs;
  if (shares <= 0n || collateral <= 0n || shares > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const priceMicros = Number((2n * collateral * 1_000_000n + shares) / (2n * shares));
  if (priceMicros < 1 || priceMicros > 1_000_000) return null;
  return { wallet, token: String(token), side, sizeMicros: Number(shares), priceMicros };
}

interface Legs {
  readonly token: bigint;
  readonly side: Side;
  readonly collateral: bigint;
  readonly shares: bigint;
}

function legsOfV1(event: Extract<OrderFilled, { version: 1 }>): Legs | null {
  const { makerAssetId, takerAssetId, makerAmountFilled, takerAmountFilled } = event;
  if ((makerAssetId === 0n) === (takerAssetId === 0n)) return null;
  return makerAssetId === 0n
    ? { token: takerAssetId, side: 'BUY', collateral: makerAmountFilled, shares: takerAmountFilled }
    : { token: makerAssetId, side: 'SELL', collateral: takerAmountFilled, shares: makerAmountFilled };
}

function legsOfV2(event: Extract<OrderFilled, { version: 2 }>): Legs | null {
  const { side, tokenId: token, makerAmountFilled, takerAmountFilled } = event;
  if (token === 0n) return null;
  if (side === 0) return { token, side: 'BUY', collateral: makerAmountFilled, shares: takerAmountFilled };
  return side === 1 ? { token, side: 'SELL', collateral: takerAmountFilled, shares: makerAmountFilled } : null;
}
