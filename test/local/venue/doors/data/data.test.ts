import { expect } from 'chai';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { captureJson } from '#test/support/captures';
import { getJson, type Json, marketBySlug, StillClock, stillVenue } from '../../../support/venue-harness.js';

const DAY_S = 86_400;

describe('local venue: the Data API', () => {
  const clock = new StillClock();
  const nowS = clock.nowMs() / 1_000;
  let venue: LocalVenue;
  let wallet: string;
  const ask = (path: string) => getJson(`${venue.dataUrl}${path}`);
  const statusOf = async (path: string) => (await fetch(`${venue.dataUrl}${path}`)).status;

  before(async () => {
    venue = await stillVenue({ clock, seed: 7 });
    venue.step(60);
    wallet = addressOf('harrow.field');
  });
  after(() => venue.close());
  afterEach(() => venue.faults.clear());

  function addressOf(name: string): string {
    const found = venue.exampleWallets.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no example wallet ${name}`);
    return found.address;
  }

  /** Every row of a feed of version 2, page by page. */
  async function walk(path: string, from = ''): Promise<{ rows: Json[]; pages: number }> {
    const rows: Json[] = [];
    let pages = 0;
    for (let cursor = from; ; pages++) {
      const { data, pagination } = await ask(cursor === '' ? path : `${path}&cursor=${cursor}`);
      rows.push(...data);
      expect(pagination.has_more).to.equal(pagination.next_cursor !== null);
      if (!pagination.has_more) return { rows, pages: pages + 1 };
      cursor = pagination.next_cursor;
    }
  }

  describe('in its first version', () => {
    it('clamps the limit, refuses offsets beyond the cap, and shows takers only unless asked', async () => {
      expect(await ask('/trades?limit=99999&takerOnly=false')).to.have.length(10_000);
      expect(await ask('/trades')).to.have.length(100);
      expect(await statusOf('/trades?offset=10000&limit=1')).to.equal(200);
      expect(await statusOf('/trades?offset=10001&limit=1')).to.equal(400);
      expect(await ask(`/activity?user=${wallet}&limit=9999`)).to.have.length(500);
      expect(await statusOf('/activity?user=0x12')).to.equal(400);
      const takers = await ask(`/trades?user=${wallet}&limit=10000`);
      const all = await ask(`/trades?user=${wallet}&limit=10000&takerOnly=false`);
      expect(takers.length).to.be.above(100).and.below(all.length);
    });

    it('pages deeper than the cap by start and end, both included', async () => {
      const all: Json[] = await ask(`/trades?user=${wallet}&limit=10000&takerOnly=false`);
      const times = all.map((row) => row.timestamp);
      const [start, end] = [times[60], times[20]];
      const part: Json[] = await ask(`/trades?user=${wallet}&limit=10000&takerOnly=false&start=${start}&end=${end}`);
      expect(part).to.deep.equal(all.filter((row) => row.timestamp >= start && row.timestamp <= end));
    });

    it('lists redeemed winners, rewards and rebates as activity that is no trade', async function () {
      const recorded: Json[] = captureJson(this, 'wallets/edulabrador_activity_all.json');
      const maker = addressOf('tidal-quotes');
      for (const type of ['REDEEM', 'REWARD', 'MAKER_REBATE']) {
        const rows: Json[] = await ask(`/activity?user=${maker}&type=${type}&limit=500`);
        expect(rows.length, type).to.be.above(0);
        const like = recorded.find((row) => row.type === type);
        for (const row of rows) {
          expect(Object.keys(row)).to.have.members(Object.keys(like));
          expect(row).to.include({ type, outcomeIndex: 999, asset: '', side: '', price: 0, outcome: '' });
          expect(row.conditionId === '').to.equal(like.conditionId === '');
        }
      }
      const mixed: Json[] = await ask(`/activity?user=${maker}&limit=500`);
      expect(mixed.map((row) => row.timestamp)).to.deep.equal(
        mixed.map((row) => row.timestamp).toSorted((a, b) => b - a),
      );
      expect(new Set(mixed.map((row) => row.type)))
        .to.include('TRADE')
        .and.to.include('REDEEM');
    });
  });

  describe('in its second version', () => {
    it('says the same as the first one, in snake_case and by cursor', async () => {
      const old: Json[] = await ask(`/trades?user=${wallet}&limit=10000&takerOnly=false`);
      const { rows, pages } = await walk(`/v2/trades?user=${wallet}&start=1&taker_only=false&limit=150`);
      expect(pages).to.equal(Math.ceil(old.length / 150));
      expect(rows.map((row) => [row.transaction_hash, row.token_id, row.size, row.price, row.timestamp])).to.deep.equal(
        old.map((row) => [row.transactionHash, row.asset, row.size, row.price, row.timestamp]),
      );
      expect(rows[0]).to.include({
        proxy_wallet: wallet,
        condition_id: old[0].conditionId,
        outcome_index: old[0].outcomeIndex,
      });
    });

    it('refuses with 400 what is out of bounds', async () => {
      const ids = Array.from({ length: 21 }, (_, at) => `0x${String(at).padStart(64, '0')}`);
      for (const path of [
        '/v2/trades?limit=1001',
        '/v2/trades?offset=10',
        '/v2/trades?cursor=nonsense',
        '/v2/trades?user=0x12',
        '/v2/trades?condition=0x12',
        `/v2/trades?condition=${ids.join(',')}`,
        '/v2/activity',
        '/v2/resolutions',
        `/v2/resolutions?condition=${ids[0]}&event_id=1`,
      ]) {
        expect(await statusOf(path), path).to.equal(400);
      }
      expect(await ask(`/v2/trades?condition=${ids[0]}`)).to.deep.include({ data: [] });
    });

    it('shows this and the previous month on the bare feed, and heeds start and end for a wallet only', async () => {
      const monthBefore = Date.UTC(2026, 5, 1) / 1_000;
      const { rows } = await walk(`/v2/trades?taker_only=false&limit=1000&start=${nowS - DAY_S}`);
      const times = rows.map((row) => row.timestamp);
      expect(Math.min(...times)).to.be.within(monthBefore, monthBefore + DAY_S);
      const own = await walk(`/v2/trades?user=${wallet}&limit=1000&start=${nowS - DAY_S}`);
      expect(own.rows.length).to.be.above(0);
      for (const row of own.rows) expect(row.timestamp).to.be.at.least(nowS - DAY_S);
      const whole = await walk(`/v2/trades?user=${wallet}&limit=1000`);
      expect(Math.min(...whole.rows.map((row) => row.timestamp))).to.be.below(monthBefore);
    });

    it('keeps a walk whole while new trades arrive', async () => {
      const before = await walk('/v2/trades?limit=1000');
      const first = await ask('/v2/trades?limit=40');
      venue.step(40);
      const rest = await walk('/v2/trades?taker_only=true', first.pagination.next_cursor);
      expect([...first.data, ...rest.rows]).to.deep.equal(before.rows);
    });

    it('takes a cursor only with the filters that it was made with', async () => {
      const path = `/v2/trades?user=${wallet}&start=1&taker_only=false`;
      const { pagination } = await ask(`${path}&limit=20`);
      const next = `&cursor=${pagination.next_cursor}`;
      expect(await statusOf(`${path}&limit=20${next}`)).to.equal(200);
      for (const other of [
        `/v2/trades?user=${wallet}&start=1&taker_only=true`,
        `/v2/trades?user=${wallet}&start=2&taker_only=false`,
        `/v2/trades?user=${wallet}&taker_only=false`,
        `${path}&side=BUY`,
        '/v2/trades?taker_only=false',
      ]) {
        expect(await statusOf(`${other}&limit=20${next}`), other).to.equal(400);
      }
    });

    it('lists activity of one wallet, what is no trade among it', async () => {
      const { rows } = await walk(`/v2/activity?user=${wallet}&limit=300`);
      expect(new Set(rows.map((row) => row.type)))
        .to.include('TRADE')
        .and.to.include('REDEEM');
      const redeemed = rows.find((row) => row.type === 'REDEEM');
      expect(redeemed).to.include({ outcome_index: 999, token_id: '', side: '' });
      const only = await walk(`/v2/activity?user=${wallet}&type=REDEEM&limit=1000`);
      expect(only.rows).to.deep.equal(rows.filter((row) => row.type === 'REDEEM'));
    });

    it('tells resolutions by condition and by event, with the payout vector', async () => {
      const settled = marketBySlug(venue, 'referendum').conditionId;
      const { data } = await ask(`/v2/resolutions?condition=${settled}`);
      expect(data).to.have.length(1);
      expect(data[0]).to.deep.include({
        condition_id: settled,
        status: 'resolved',
        payouts: [1_000_000, 0],
        reporter: 'UMA_OO',
      });
      expect(Date.parse(data[0].resolved_at)).to.be.at.most(clock.nowMs());
      const proposed = await ask(`/v2/resolutions?condition=${marketBySlug(venue, 'tunnel').conditionId}`);
      expect(proposed.data[0]).to.include({ status: 'proposed' }).and.not.have.any.keys('payouts', 'resolved_at');
      const open = await ask(`/v2/resolutions?condition=${marketBySlug(venue, 'snap-election').conditionId}`);
      expect(open.data).to.deep.equal([]);
      const [{ id }] = await getJson(`${venue.gammaUrl}/events?slug=${marketBySlug(venue, 'referendum').eventSlug}`);
      expect((await ask(`/v2/resolutions?event_id=${id}`)).data).to.deep.equal(data);
    });
  });

  it('lists combos among the trades of a wallet in each of its forms, and under no market', async () => {
    const { address } = venue.exampleWallets.find(({ role }) => role === 'fee-fragile')!;
    const COMBO = /^0x03[0-9a-f]{60}$/;
    const v1: Json[] = await ask(`/trades?user=${address}&limit=10000&takerOnly=false`);
    const combos = v1.filter((row) => row.isCombo === true);
    expect(combos.length).to.be.above(2);
    for (const row of combos) {
      expect(row).to.include({ slug: '', eventSlug: '', outcomeIndex: 0 });
      // The official client refuses a page with a combo that has no title.
      expect(row.title).to.not.equal('');
    }
    for (const row of v1) expect(COMBO.test(row.conditionId)).to.equal(row.isCombo === true);
    const ids = combos.map((row) => row.conditionId);
    const v2 = await walk(`/v2/trades?user=${address}&start=1&taker_only=false&limit=1000`);
    expect(v2.rows.filter((row) => row.is_combo === true).map((row) => row.condition_id)).to.deep.equal(ids);
    const activity = await walk(`/v2/activity?user=${address}&start=1&type=TRADE&limit=1000`);
    expect(activity.rows.filter((row) => row.is_combo === true).map((row) => row.condition_id)).to.deep.equal(ids);
    const condition = v1.find((row) => row.isCombo !== true)!.conditionId;
    const ofMarket: Json[] = await ask(`/trades?user=${address}&market=${condition}&limit=10000&takerOnly=false`);
    expect(new Set(ofMarket.map((row) => row.conditionId))).to.deep.equal(new Set([condition]));
  });

  describe('when it fails', () => {
    const rows = (path: string): Promise<Json[]> => ask(path);

    it('breaks off in the middle of an answer', async () => {
      venue.faults.tornPages = true;
      for (const path of ['/trades', '/v2/trades']) {
        const outcome = await fetch(`${venue.dataUrl}${path}`)
          .then(
            (response) => response.text(),
            () => 'broken',
          )
          .catch(() => 'broken');
        expect(outcome, path).to.equal('broken');
      }
    });

    it('loses fields, repeats rows and shuffles them, and keeps each row otherwise', async () => {
      const sound = await rows('/trades?limit=30');
      venue.faults.shuffledRows = true;
      expect(await rows('/trades?limit=30'))
        .to.have.deep.members(sound)
        .and.not.deep.equal(sound);
      venue.faults.clear();
      venue.faults.duplicateRows = true;
      expect(await rows('/trades?limit=30')).to.deep.equal(sound.flatMap((row) => [row, row]));
      venue.faults.clear();
      venue.faults.tornRows = true;
      const torn = await rows('/trades?limit=30');
      expect(torn.filter((row) => row.asset === undefined && row.price === undefined)).to.have.length(10);
      venue.faults.clear();
      expect(await rows('/trades?limit=30')).to.deep.equal(sound);
    });

    it('lacks its second version while the first one answers', async () => {
      venue.faults.dataV2Missing = true;
      expect(await statusOf('/v2/trades')).to.equal(404);
      expect(await statusOf('/trades')).to.equal(200);
    });
  });
});
