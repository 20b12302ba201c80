import { OrderType, Side } from '@polymarket/clob-client-v2';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { type LocalMarket, type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { CREDS } from '#test/client/guard/support/credentials';
import { makeClob, OFFICIAL_CLIENTS } from '#test/client/guard/support/official-clients';
import { until } from '#test/support/live-verdicts';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const USUAL = 'will-arcadia-call-a-snap-election-by-december-31';
const KEY = `0x${'6f'.repeat(32)}` as const;

interface Levels {
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
}

describe('the local venue takes orders', function () {
  this.timeout(PROCESS_TEST_MS);
  let venue: LocalVenue;
  let market: LocalMarket;
  let token: string;
  let other: string;
  let clob: ReturnType<typeof makeClob>;

  beforeEach(async () => {
    venue = await startLocalVenue({ clock: systemClock, tickMs: 0 });
    market = venue.markets.find(({ slug }) => slug === USUAL)!;
    [token = '', other = ''] = market.outcomes.map(({ tokenId }) => tokenId as string);
    clob = makeClob(venue.clobUrl, KEY);
  });
  afterEach(() => venue.close());

  /** The words of a refusal, which the client hands on as they are. */
  const errorOf = async (answer: Promise<unknown>) => ((await answer) as { readonly error?: string }).error;
  const bookOf = async (tokenID: string) =>
    (await (await fetch(`${venue.clobUrl}/book?token_id=${tokenID}`)).json()) as Levels;
  /** The best last. */
  const best = (levels: Levels['bids']) => ({ price: Number(levels.at(-1)!.price), size: Number(levels.at(-1)!.size) });
  const market$ = (tokenID: string, side: Side, amount: number, price: number, orderType = OrderType.FOK) =>
    clob.createAndPostMarketOrder(
      { tokenID, side, amount, price, orderType: orderType as OrderType.FOK },
      undefined,
      orderType as OrderType.FOK,
    );
  const limit = (
    tokenID: string,
    side: Side,
    size: number,
    price: number,
    orderType = OrderType.GTC,
    postOnly = false,
  ) => clob.createAndPostOrder({ tokenID, side, size, price }, undefined, orderType as OrderType.GTC, postOnly);

  it('of both official clients as they are', async () => {
    for (const official of OFFICIAL_CLIENTS) {
      const orders = official.ordersOf(await official.make(venue.clobUrl));
      expect(official.isAccepted(await orders.buy(token, 20, 0.9)), official.name).to.equal(true);
      expect(official.isAccepted(await orders.sell(token, 15, 0.05)), official.name).to.equal(true);
      expect(official.isAccepted(await orders.limit(token, 'BUY', 10, 0.05)), official.name).to.equal(true);
      await orders.cancelAll();
    }
    expect(await clob.createOrDeriveApiKey()).to.have.keys('key', 'secret', 'passphrase');
  });

  it('fills one that takes at the prices of the book, whose levels it takes away, for either outcome', async () => {
    for (const [tokenID, mirror] of [
      [token, other],
      [other, token],
    ] as const) {
      const before = best((await bookOf(tokenID)).asks);
      const usd = Math.floor((before.price * before.size * 100) / 2) / 100;
      const answer = await market$(tokenID, Side.BUY, usd, before.price);
      expect(answer).to.include({ success: true, status: 'matched', makingAmount: String(usd) });
      expect(Number(answer.takingAmount)).to.be.closeTo(usd / before.price, 1e-5);
      const after = best((await bookOf(tokenID)).asks);
      expect(after.price).to.equal(before.price);
      expect(after.size).to.be.closeTo(before.size - Number(answer.takingAmount), 1e-5);
      const seen = best((await bookOf(mirror)).bids);
      expect([seen.price, seen.size]).to.deep.equal([Number((1 - after.price).toFixed(4)), after.size]);
    }
  });

  it('shows a fill among the public trades', async () => {
    const answer = await market$(token, Side.BUY, 20, 0.9);
    const maker_address = (await clob.getTrades())[0]!.maker_address;
    const trades = await (await fetch(`${venue.dataUrl}/trades?user=${maker_address}`)).json();
    expect(trades).to.have.length(1);
    expect((trades as object[])[0]).to.include({
      asset: token,
      side: 'BUY',
      size: Number(answer.takingAmount),
      transactionHash: answer.transactionsHashes?.[0],
    });
  });

  it('kills what a FOK cannot have whole, and fills a FAK as far as it goes', async () => {
    const { price, size } = best((await bookOf(token)).asks);
    const usd = Math.ceil(price * size) + 100;
    expect(await errorOf(market$(token, Side.BUY, usd, price))).to.equal(
      "order couldn't be fully filled. FOK orders are fully filled or killed.",
    );
    const part = await market$(token, Side.BUY, usd, price, OrderType.FAK);
    expect([part.status, Number(part.takingAmount)]).to.deep.equal(['matched', size]);
    const none = await errorOf(market$(token, Side.BUY, 20, price, OrderType.FAK));
    expect(none).to.match(/^no orders found to match with FAK order/);
  });

  it('lets what rests stand in the book until it is cancelled or filled', async () => {
    const inside = best((await bookOf(token)).bids).price;
    const before = best((await bookOf(token)).bids).size;
    const { orderID } = await limit(token, Side.BUY, 100, inside);
    expect(best((await bookOf(token)).bids).size).to.equal(before + 100);
    expect(
      (await clob.getOpenOrders()).map(({ id, original_size, price }) => [id, original_size, price]),
    ).to.deep.equal([[orderID, '100', String(inside)]]);
    await clob.cancelOrder({ orderID });
    expect(best((await bookOf(token)).bids).size).to.equal(before);
    expect(await clob.getOpenOrders()).to.deep.equal([]);

    const again = await limit(token, Side.BUY, 100, inside);
    await market$(token, Side.SELL, before + 100, inside);
    expect(await clob.getOrder(again.orderID)).to.include({ status: 'MATCHED', size_matched: '100' });
    expect((await clob.getTrades()).map(({ trader_side }) => trader_side).toSorted()).to.deep.equal(['MAKER', 'TAKER']);
  });

  it('stands by what rests while the market maker changes the level', async () => {
    const { price } = best((await bookOf(token)).bids);
    const { orderID } = await limit(token, Side.BUY, 77, price);
    for (let steps = 0; steps < 200; steps++) {
      venue.step(1, USUAL);
      const open = await clob.getOrder(orderID);
      const left = Number(open.original_size) - Number(open.size_matched);
      const level = (await bookOf(token)).bids.find((one) => Number(one.price) === price);
      expect(Number(level?.size ?? 0), `after ${steps} steps`).to.be.at.least(left);
    }
  });

  it('refuses with its own words what breaks a rule', async () => {
    const ask = best((await bookOf(token)).asks).price;
    expect(await errorOf(limit(token, Side.BUY, 10, ask, OrderType.GTC, true))).to.equal(
      'invalid post-only order: order crosses book',
    );
    expect(await errorOf(limit(token, Side.BUY, 4, 0.05))).to.match(/Size \(4\) lower than the minimum: 5$/);
    expect(await errorOf(market$(token, Side.BUY, 0.5, ask))).to.equal(
      'invalid amount for a marketable BUY order ($0.5), min size: $1',
    );
    const signed = await clob.createMarketOrder({ tokenID: token, side: Side.BUY, amount: 20, price: ask });
    await clob.postOrder(signed, OrderType.FOK);
    expect(await errorOf(clob.postOrder(signed, OrderType.FOK))).to.match(/is invalid\. Duplicated\.$/);
    const forged = await clob.createMarketOrder({ tokenID: token, side: Side.BUY, amount: 30, price: ask });
    expect(await errorOf(clob.postOrder({ ...forged, makerAmount: '31000000' } as never, OrderType.FOK))).to.equal(
      'invalid signature',
    );
    const elsewhere = makeClob(venue.clobUrl, KEY);
    const posted = await elsewhere.createOrder(
      { tokenID: token, side: Side.BUY, size: 10, price: 0.05 },
      { tickSize: '0.01', negRisk: true },
    );
    expect(await errorOf(clob.postOrder(posted))).to.equal('invalid signature');
  });

  it('matches an order for a game after the delay of sports', async () => {
    const game = venue.markets.find(({ description }) => /sport|game/i.test(description))!;
    const tokenID = game.outcomes[0]!.tokenId;
    const answer = await market$(tokenID, Side.BUY, 10, 0.99);
    expect(answer).to.include({ success: true, status: 'delayed' });
    await until('it is matched', async () => (await clob.getTrades()).length === 1, 10_000);
  });

  it('takes no more than fifteen at once, and answers for each', async () => {
    const make = (amount: number) =>
      clob.createMarketOrder({ tokenID: token, side: Side.BUY, amount, price: 0.9 }).then((order) => ({
        order: order as never,
        orderType: OrderType.FOK as const,
      }));
    const answers = (await clob.postOrders([await make(20), await make(0.5)])) as unknown as {
      readonly orderID: string;
      readonly errorMsg: string;
    }[];
    expect(answers.map(({ orderID, errorMsg }) => [orderID !== '', errorMsg])).to.deep.equal([
      [true, ''],
      [false, 'invalid amount for a marketable BUY order ($0.5), min size: $1'],
    ]);
    const many = await Promise.all(Array.from({ length: 16 }, (_, n) => make(2 + n)));
    const body = JSON.stringify(many);
    const headers = { 'content-type': 'application/json', POLY_API_KEY: CREDS.key };
    const refused = await fetch(`${venue.clobUrl}/orders`, {
      method: 'POST',
      headers,
      body: body.replaceAll(/n"/g, '"'),
    });
    expect([refused.status, await refused.json()]).to.deep.equal([
      400,
      { error: 'Too many orders in payload: 16, max allowed: 15' },
    ]);
    const noKey = await fetch(`${venue.clobUrl}/order`, { method: 'POST' });
    expect(noKey.status).to.equal(401);
  });
});
