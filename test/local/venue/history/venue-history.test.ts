import { expect } from 'chai';
import { RATING_REASONS, type RatingReason } from '#domain/rating/rating';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { PAST_DAYS } from '#test/support/size';
import { ChannelClient, getJson, type Json, StillClock, stillVenue, tokensOf } from '../../support/venue-harness.js';
import { rateExamples, tradesOf } from '../../support/venue-past.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);

/** Whom the past is planned around, and what must come of them on any day. */
const ALWAYS: Readonly<Record<string, RatingReason>> = {
  'harrow.field': 'validated',
  'second-ledger': 'validated',
  'oakvale-study': 'validated',
  'derby-days-0': 'oos_small',
  'sunday-only-0': 'is_small',
  'last-penny-0': 'farming',
  'long-view-0': 'few_resolved',
  'drops-by-0': 'below_floor',
  'five-minutes-0': 'below_floor',
  'bad-beat-4': 'lost_money',
  'two-faced-0': 'both_sides',
  'tidal-quotes': 'both_sides',
};

describe('local venue: its past', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await stillVenue({ clock: new StillClock(NOON) });
  });
  after(() => venue.close());

  const addressOf = (name: string) => venue.exampleWallets.find((each) => each.name === name)?.address ?? '';

  // Any day must do: roles go in rounds of 60 and 90 days, and the past is planned in blocks of 30.
  // One big night is hardly ever enough for the score: that row is for what the tests of the table
  // show. Reasons that say what was not seen, or not confirmed, are of the venue's faults.
  const ofWallets = RATING_REASONS.filter((reason) => reason !== 'unconfirmed' && reason !== 'tape_short');
  const onAnyDay = ofWallets.filter((reason) => reason !== 'one_event');
  for (const days of PAST_DAYS) {
    it(`comes to every row of the decision table, ${days} days on`, async () => {
      const nowMs = NOON + days * DAY_MS;
      const later = await stillVenue({ clock: new StillClock(nowMs) });
      try {
        const ratings = await rateExamples(later, nowMs);
        const reasons = new Set([...ratings.values()].map(({ reason }) => reason));
        expect([...reasons]).to.include.members(onAnyDay);
        for (const [name, reason] of Object.entries(ALWAYS)) expect(ratings.get(name)?.reason, name).to.equal(reason);
      } finally {
        await later.close();
      }
    });
  }

  it('is the same after a restart, and only grows in the days after', async () => {
    const [now, again] = [await tradesOf(venue, addressOf('harrow.field')), await restarted(NOON)];
    expect(again).to.deep.equal(now);
    const later = await restarted(NOON + 4 * DAY_MS);
    expect(later.length).to.be.above(now.length);
    expect(later.slice(-now.length)).to.deep.equal(now);
  });

  async function restarted(nowMs: number): Promise<Json[]> {
    const other = await stillVenue({ clock: new StillClock(nowMs) });
    try {
      return await tradesOf(other, addressOf('harrow.field'));
    } finally {
      await other.close();
    }
  }

  it('goes on by the clock: what is due trades and settles, as a venue that starts later finds it', async () => {
    const clock = new StillClock(NOON - 2 * DAY_MS);
    const moving = await stillVenue({ clock });
    const before = await tradesOf(moving, addressOf('harrow.field'));
    clock.move(2 * DAY_MS);
    const now = await tradesOf(venue, addressOf('harrow.field'));
    expect(await tradesOf(moving, addressOf('harrow.field'))).to.deep.equal(now);
    expect(before.length).to.be.below(now.length);
    const settled = (each: LocalVenue) =>
      getJson(`${each.dataUrl}/v2/resolutions?condition=${now[0].condition_id},${before[0].condition_id}`);
    expect(await settled(moving)).to.deep.equal(await settled(venue));
    await moving.close();
  });

  it('has prices that are fair: of what is priced at p, about p pays', async () => {
    const cells = new Map<number, { pays: number; price: number; count: number }>();
    for (const name of ['just-for-fun-0', 'just-for-fun-6', 'two-faced-0']) {
      const rows = (await tradesOf(venue, addressOf(name))).filter((row) => row.side === 'BUY');
      const payouts = await payoutsOf([...new Set(rows.map((row) => row.condition_id))]);
      for (const row of rows) {
        const pays = payouts.get(row.condition_id)?.[row.outcome_index];
        if (pays === undefined) continue;
        const cell = cells.get(Math.floor(row.price * 3)) ?? { pays: 0, price: 0, count: 0 };
        cells.set(Math.floor(row.price * 3), {
          pays: cell.pays + pays / 1e6,
          price: cell.price + row.price,
          count: cell.count + 1,
        });
      }
    }
    for (const { pays, price, count } of cells.values()) {
      expect(count).to.be.above(150);
      // Rows of one market fall together, so the allowance is wide: about three deviations of a
      // third as many bets.
      expect(Math.abs(pays - price) / count).to.be.below(3 * Math.sqrt(0.25 / (count / 3)));
    }
  });

  async function payoutsOf(conditions: readonly string[]): Promise<Map<string, number[]>> {
    const payouts = new Map<string, number[]>();
    for (let at = 0; at < conditions.length; at += 20) {
      const { data } = await getJson(
        `${venue.dataUrl}/v2/resolutions?condition=${conditions.slice(at, at + 20).join(',')}`,
      );
      for (const row of data) if (row.payouts !== undefined) payouts.set(row.condition_id, row.payouts);
    }
    return payouts;
  }

  it('is as untidy as a real tape: repeats, tiny fills, one order in parts, sales before and after', async () => {
    const rows = [
      ...(await tradesOf(venue, addressOf('just-for-fun-0'))),
      ...(await tradesOf(venue, addressOf('second-ledger'))),
    ];
    const repeats = rows.length - new Set(rows.map((row) => JSON.stringify(row))).size;
    expect(repeats / rows.length).to.be.within(0.005, 0.06);
    expect(rows.filter((row) => row.size < 5).length).to.be.above(10);
    const buys = rows.filter((row) => row.side === 'BUY');
    const parts =
      new Set(buys.map((row) => `${row.transaction_hash}:${row.size}`)).size -
      new Set(buys.map((row) => row.transaction_hash)).size;
    expect(parts).to.be.above(10);
    expect(rows.filter((row) => row.side === 'SELL').length).to.be.above(20);
  });

  it('tells its markets by Gamma and CLOB as it tells open ones', async () => {
    const { data } = await getJson(`${venue.dataUrl}/v2/trades?user=${addressOf('harrow.field')}&start=1&limit=1000`);
    const conditions = [...new Set<string>(data.map((row: Json) => row.condition_id))].slice(-60);
    const query = conditions.map((id) => `condition_ids=${id}`).join('&');
    const listed: Json[] = await getJson(`${venue.gammaUrl}/markets?limit=100&closed=true&${query}`);
    expect(listed).to.have.length(60);
    for (const market of listed) {
      const prices = JSON.parse(market.outcomePrices).map(Number);
      expect(market).to.include({ closed: true, umaResolutionStatus: 'resolved' });
      expect(prices[0] + prices[1]).to.equal(1);
      expect(Date.parse(market.closedTime.replace('+00', 'Z'))).to.be.above(Date.parse(market.startDate));
      if (market.sportsMarketType !== undefined)
        expect(market.gameStartTime).to.match(/^2026-\d\d-\d\d \d\d:\d\d:\d\d\+00$/);
      const clob = await getJson(`${venue.clobUrl}/markets/${market.conditionId}`);
      expect(clob.is_50_50_outcome).to.equal(prices[0] === 0.5);
      expect(clob.tokens.map((token: Json) => token.winner)).to.deep.equal(prices.map((price: number) => price === 1));
    }
    const halves = (await getJson(`${venue.gammaUrl}/markets?limit=100&closed=true&order=closedTime`)) as unknown;
    expect(halves).to.include({ type: 'validation error' });
  });

  it('pays half and half where a game was called off, and settles some markets before their end', async () => {
    const closed: Json[] = [];
    for (let offset = 0; offset < 900; offset += 100) {
      closed.push(...(await getJson(`${venue.gammaUrl}/markets?limit=100&closed=true&offset=${offset}`)));
    }
    expect(closed.filter((market) => market.outcomePrices === '["0.5", "0.5"]').length).to.be.within(5, 60);
    const early = closed.filter(
      (market) => Date.parse(market.endDate) - Date.parse(market.closedTime.replace('+00', 'Z')) > 5 * DAY_MS,
    );
    expect(early.length).to.be.above(5);
    for (const market of early) expect(market.outcomePrices).to.equal('["1", "0"]');
  });

  it('shows books of what is still open, by REST and on the market channel', async () => {
    const [row] = await tradesOf(venue, addressOf('long-view-0'));
    const [market]: Json[] = await getJson(`${venue.gammaUrl}/markets?condition_ids=${row.condition_id}`);
    expect(market).to.include({ closed: false, active: true });
    const tokens = JSON.parse(market.clobTokenIds);
    const book = await getJson(`${venue.clobUrl}/book?token_id=${tokens[0]}`);
    expect(Number(book.bids.at(-1).price)).to.be.below(Number(book.asks.at(-1).price));
    const client = await ChannelClient.subscribed(venue.wsUrl, tokens);
    expect(client.messages().map((frame) => frame.asset_id)).to.have.members(tokens);
    client.close();
  });

  it('names a wallet for each role, one that only its own feed shows, and one that never traded', async () => {
    const roles = new Set(venue.exampleWallets.map(({ role }) => role));
    expect(roles.size).to.equal(18);
    const visitor = venue.exampleWallets.find(({ role }) => role === 'visitor');
    const rows = await tradesOf(venue, visitor?.address ?? '');
    expect(rows.filter((row) => row.timestamp > NOON / 1_000 - 90 * 86_400).length).to.be.above(15);
    const bareFeedS = Date.UTC(2026, 9, 1) / 1_000;
    expect(Math.max(...rows.map((row) => row.timestamp))).to.be.below(bareFeedS);
    const nobody = venue.exampleWallets.find(({ role }) => role === 'never-traded');
    expect(await tradesOf(venue, nobody?.address ?? '')).to.deep.equal([]);
  });

  it('is not among the markets of today', () => {
    expect(venue.markets.length).to.be.below(40);
    for (const market of venue.markets) expect(tokensOf(market)[0]).to.not.equal('');
  });
});
