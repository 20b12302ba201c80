import type { OrderVerdict } from '#api/order-verdict';

interface World {
  verdict(order: object): Promise<OrderVerdict>;
}

/** Returns shares of whose sale the verdict is VETO, by whole levels of the bids. */
export async function vetoShares(world: World, token_id: string): Promise<number> {
  const { evidence } = await world.verdict({ token_id, side: 'SELL', usd: 5, evidence: 1 });
  let [shares, usd] = [0, 0];
  for (const [price, size] of evidence!.payload.book.bids.toReversed()) {
    shares += Number(size);
    usd += Number(size) * Number(price);
    if ((await world.verdict({ token_id, side: 'SELL', usd })).verdict === 'VETO') return Math.floor(shares);
  }
  throw new Error('the book has no room for a sale that is VETO');
}
