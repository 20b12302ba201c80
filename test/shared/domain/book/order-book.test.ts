import { expect } from 'chai';
import type { BookSnapshot, Level, LevelChange } from '#domain/book/book';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';

const TOKEN = '7' as TokenId;
const MARKET = '0xm' as ConditionId;

const level = (priceTicks: number, sizeMicros = 1_000_000): Level => ({ priceTicks, sizeMicros });

const snapshot = (timestampMs: number, over: Partial<BookSnapshot> = {}): BookSnapshot => ({
  tokenId: TOKEN,
  conditionId: MARKET,
  bids: [level(4_900)],
  asks: [level(5_100)],
  timestampMs,
  hash: `hash-${timestampMs}`,
  minOrderSize: null,
  tickSize: null,
  negRisk: null,
  lastTradePrice: null,
  ...over,
});

const change = (priceTicks: number, sizeMicros: number, side: 'BUY' | 'SELL' = 'BUY'): LevelChange => ({
  tokenId: TOKEN,
  side,
  priceTicks,
  sizeMicros,
  hash: 'after',
});

const book = () => new OrderBook(TOKEN, MARKET);

/** A book that came over the market channel at venue time 1000 and our time 5. */
const live = () => {
  const b = book();
  b.applySnapshot(snapshot(1_000), 5);
  return b;
};

describe('OrderBook', () => {
  it('takes no changes before its snapshot', () => {
    const b = book();
    expect(b.applyChange(change(4_800, 1), 1)).to.equal('unsynced');
    expect(b.bids.length).to.equal(0);
    expect(b.confirmedAtMs).to.equal(null);
  });

  it('applies changes of the channel, and a duplicate changes nothing', () => {
    const b = live();
    expect(b.applyChange(change(4_950, 3), 1_001)).to.equal('applied');
    const { version } = b;
    expect(b.applyChange(change(4_950, 3), 1_001)).to.equal('applied');
    expect(b.version).to.equal(version);
    expect(b.bids.bestTicks).to.equal(4_950);
    expect(b.doubt).to.equal(null);
  });

  it('is suspicious for as long as it is crossed or a ghost', () => {
    const b = live();
    expect(b.isSuspicious).to.equal(false);
    b.applyChange(change(5_200, 1), 1_001);
    expect(b.isSuspicious, 'crossed').to.equal(true);
    b.applyChange(change(5_200, 0), 1_002);
    expect(b.isSuspicious, 'crossed no more').to.equal(false);
    b.applySnapshot(snapshot(1_003, { bids: [level(100)], asks: [level(9_900)] }), 6);
    expect(b.isSuspicious, 'a ghost').to.equal(true);
    b.markUnlisted(7);
    expect(b.isSuspicious, 'no book at all').to.equal(false);
    b.applySnapshot(snapshot(1_004, { bids: [level(100)], asks: [level(9_900)] }), 8);
    expect(b.isSuspicious, 'a ghost again').to.equal(true);
  });

  it('doubts itself when an older change comes after a younger one, and events stop confirming it', () => {
    const b = live();
    b.applyChange(change(4_950, 3), 1_010);
    b.confirm(50);
    expect(b.applyChange(change(4_950, 0), 1_005)).to.equal('out_of_order');
    expect(b.bids.bestTicks, 'the older change is not applied').to.equal(4_950);
    b.applyChange(change(4_960, 3), 1_011);
    b.confirm(60);
    expect(b.confirmedAtMs).to.equal(50);
  });

  it('doubts itself when an older snapshot comes late', () => {
    const b = live();
    expect(b.applySnapshot(snapshot(900), 6)).to.equal('out_of_order');
    expect(b.doubt).to.equal('out_of_order');
  });

  it('is sure again after the next snapshot', () => {
    const b = live();
    b.applySnapshot(snapshot(900), 6);
    b.applySnapshot(snapshot(1_020), 70);
    expect([b.doubt, b.confirmedAtMs]).to.deep.equal([null, 70]);
  });

  it('still counts as confirmed by events while only its hash is in doubt', () => {
    const b = live();
    b.castDoubt('hash', 'any hash');
    b.confirm(99);
    expect(b.confirmedAtMs).to.equal(99);
  });

  it('counts as confirmed by events until a hash of the channel has agreed: that of REST says nothing of those', () => {
    const b = live();
    b.reconcile(snapshot(1_001, { hash: 'of REST' }), b.question(6));
    b.prove();
    b.castDoubt('hash', 'any hash');
    expect(b.isInDoubt).to.equal(false);
    b.applyChange(change(4_950, 3), 1_002);
    b.prove();
    b.castDoubt('hash', 'any hash');
    expect(b.isInDoubt).to.equal(true);
  });

  it('waits for a hash of after a trade also where something else came into doubt meanwhile', () => {
    const b = live();
    b.castDoubt('trade_without_book', 'a later hash', 1_010);
    b.castDoubt('unreadable_frame', 'a later hash');
    b.applyChange({ ...change(4_950, 3), hash: 'before it' }, 1_009);
    b.prove();
    expect(b.doubt).to.equal('trade_without_book');
    b.applyChange({ ...change(4_950, 4), hash: 'after it' }, 1_010);
    b.prove();
    expect(b.doubt).to.equal(null);
  });

  it('has the last price of the youngest trade, in whatever order trades are announced', () => {
    const b = book();
    b.applySnapshot(snapshot(1_000, { lastTradePrice: '0.50' }), 5);
    for (const [timestampMs, price, last] of [
      [900, '0.60', '0.50'],
      [1_300, '0.61', '0.61'],
      [1_100, '0.62', '0.61'],
      [1_200, '0.63', '0.61'],
    ] as const) {
      b.announceTrade({ price, timestampMs, id: price });
      expect(b.hashFields.lastTradePrice).to.equal(last);
    }
  });

  describe('beside REST', () => {
    it('is replaced by a younger book, and keeps no event that the younger one holds already', () => {
      const b = live();
      expect(b.reconcile(snapshot(2_000, { bids: [level(4_700)] }), b.question(80))).to.equal('corrected');
      expect(b.applyChange(change(4_800, 5), 1_500)).to.equal('superseded');
      expect([b.bids.bestTicks, b.doubt, b.confirmedAtMs]).to.deep.equal([4_700, null, 80]);
      expect(b.applyChange(change(4_800, 5), 2_001)).to.equal('applied');
    });

    it('is confirmed by the same book', () => {
      const b = live();
      b.castDoubt('hash', 'any hash');
      expect(b.reconcile(snapshot(1_000), b.question(80))).to.equal('confirmed');
      expect([b.doubt, b.confirmedAtMs]).to.deep.equal([null, 80]);
    });

    it('learns nothing from an answer that is older than what it holds', () => {
      const b = live();
      b.applyChange(change(4_950, 3), 1_010);
      expect(b.reconcile(snapshot(1_005), b.question(80))).to.equal('older');
      expect([b.bids.bestTicks, b.confirmedAtMs]).to.deep.equal([4_950, 5]);
    });

    it('believes an older answer where its own book is suspicious and the channel said nothing since', () => {
      const b = live();
      b.applySnapshot(snapshot(2_000, { bids: [level(100)], asks: [level(9_900)] }), 50);
      expect(b.isGhost).to.equal(true);
      expect(b.reconcile(snapshot(1_500), b.question(80))).to.equal('corrected');
      expect([b.isGhost, b.bids.bestTicks]).to.deep.equal([false, 4_900]);
    });

    it('does not believe it where the channel spoke in between', () => {
      const b = live();
      b.applySnapshot(snapshot(2_000, { bids: [level(100)], asks: [level(9_900)] }), 50);
      const question = b.question(80);
      b.applyChange(change(200, 5), 2_001);
      expect(b.reconcile(snapshot(1_500), question)).to.equal('older');
    });

    it('is never made older by an answer that was asked for before the last event', () => {
      const b = live();
      b.confirm(100);
      b.reconcile(snapshot(1_000), b.question(80));
      expect(b.confirmedAtMs).to.equal(100);
    });

    it('stays in doubt where that came after the question: the answer may be from before what was missed', () => {
      const cast = {
        unreadable: (b: OrderBook) => b.castDoubt('unreadable_frame', 'a later hash'),
        trade: (b: OrderBook) => b.announceTrade({ price: '0.51', timestampMs: 1_001, id: 'a' }),
        'price step': (b: OrderBook) => b.announceTickSize('0.001'),
      };
      for (const [name, castLate] of Object.entries(cast)) {
        const b = book();
        const known = { minOrderSize: '5', tickSize: '0.01', negRisk: false, lastTradePrice: '0.5' };
        b.reconcile(snapshot(1_000, known), b.question(5));
        b.applySnapshot(snapshot(1_000, known), 6);
        const question = b.question(80);
        castLate(b);
        const { doubt } = b;
        b.reconcile(snapshot(1_000, known), question);
        b.confirm(99);
        b.prove();
        expect([b.doubt, b.confirmedAtMs], name).to.deep.equal([doubt, 80]);
        b.reconcile(snapshot(1_000, known), b.question(100));
        expect([b.doubt, b.confirmedAtMs], name).to.deep.equal([null, 100]);
      }
    });

    it('remembers since when the channel owes it a change, until the channel speaks', () => {
      const b = live();
      b.reconcile(snapshot(2_000, { bids: [] }), b.question(80));
      b.reconcile(snapshot(3_000, { bids: [level(1)] }), b.question(90));
      expect(b.missedSinceMs).to.equal(80);
      b.applyChange(change(4_800, 5), 3_001);
      expect(b.missedSinceMs).to.equal(null);
    });

    it('says so when the venue has no book, and comes back when it has one', () => {
      const b = live();
      b.markUnlisted(70);
      expect([b.listed, b.bids.length, b.asks.length, b.confirmedAtMs]).to.deep.equal([false, 0, 0, 70]);
      b.reconcile(snapshot(500), b.question(80));
      expect([b.listed, b.bids.bestTicks]).to.deep.equal([true, 4_900]);
    });

    it('keeps what only REST tells of the hash fields', () => {
      const b = book();
      b.reconcile(
        snapshot(1, { minOrderSize: '5', tickSize: '0.01', negRisk: false, lastTradePrice: '0.5' }),
        b.question(1),
      );
      b.applySnapshot(snapshot(2), 2);
      expect(b.hashFields).to.deep.equal({
        minOrderSize: '5',
        tickSize: '0.01',
        negRisk: false,
        lastTradePrice: '0.5',
      });
    });
  });

  it('starts over after its connection is lost: no change counts before the new snapshot, of whatever age', () => {
    const b = live();
    b.disconnect();
    expect(b.applyChange(change(4_950, 3), 2_000)).to.equal('unsynced');
    expect(b.applySnapshot(snapshot(1_000), 9)).to.equal('applied');
    expect(b.applyChange(change(4_950, 3), 2_000)).to.equal('applied');
  });

  it('knows when its sides meet', () => {
    const b = live();
    expect(b.crossed).to.equal(null);
    b.applyChange(change(5_100, 1), 1_001);
    expect(b.crossed).to.deep.equal({ bestBid: 0.51, bestAsk: 0.51 });
  });

  describe('in a market that goes on while REST answers', () => {
    const sizes = (b: OrderBook) =>
      Array.from({ length: b.bids.length }, (_, depth) => [b.bids.ticksAt(depth), b.bids.sizeAt(depth)]);

    it('is what REST says with the changes over it that came meanwhile, if it was in doubt', () => {
      const b = live();
      b.castDoubt('unreadable_frame', 'a later hash');
      const question = b.question(10);
      b.applyChange({ ...change(4_950, 3), hash: 'before' }, 1_001);
      b.applyChange({ ...change(4_960, 5), hash: 'later' }, 1_005);
      const lost = [level(4_900, 7), level(4_950, 9)];
      expect(b.reconcile(snapshot(1_003, { bids: lost }), question)).to.equal('forwarded');
      expect(sizes(b)).to.deep.equal([
        [4_960, 5],
        [4_950, 9],
        [4_900, 7],
      ]);
      expect([b.doubt, b.timestampMs, b.expectedHash, b.confirmedAtMs]).to.deep.equal([null, 1_005, 'later', 10]);
    });

    it('stays in doubt where the answer is older than what was known when REST was asked', () => {
      const b = live();
      b.castDoubt('unreadable_frame', 'a later hash');
      b.applyChange(change(4_950, 3), 1_010);
      const question = b.question(10);
      b.applyChange(change(4_960, 5), 1_020);
      expect(b.reconcile(snapshot(1_005), question)).to.equal('older');
      expect([b.doubt, b.bids.bestTicks]).to.deep.equal(['unreadable_frame', 4_960]);
    });

    it('stays in doubt where more came than changes, or something else was missed', () => {
      const after: readonly ((b: OrderBook) => void)[] = [
        (b) => void b.applySnapshot(snapshot(1_004, { hash: 'hash-1000' }), 12),
        (b) => void b.applyUntimed(change(4_950, 4)),
        (b) => void b.applyChange(change(4_950, 4), 900),
        (b) => b.castDoubt('unreadable_frame', 'a later hash'),
      ];
      for (const missed of after) {
        const b = live();
        b.castDoubt('unreadable_frame', 'a later hash');
        const question = b.question(10);
        b.applyChange(change(4_950, 3), 1_003);
        missed(b);
        b.reconcile(snapshot(1_001), question);
        expect(b.doubt).to.equal('unreadable_frame');
      }
    });

    it('keeps a change of the millisecond of the answer, which may be from before it', () => {
      const b = live();
      b.castDoubt('unreadable_frame', 'a later hash');
      const question = b.question(10);
      b.applyChange(change(4_950, 3), 1_003);
      b.applyChange(change(4_940, 2), 1_004);
      expect(b.reconcile(snapshot(1_003), question)).to.equal('forwarded');
      expect(b.bids.bestTicks).to.equal(4_950);
    });

    it('stays in doubt where more came than is written down', () => {
      const b = live();
      b.castDoubt('unreadable_frame', 'a later hash');
      const question = b.question(10);
      for (let n = 0; n <= 1_000; n++) b.applyChange(change(4_950, 3 + n), 1_003);
      expect(b.reconcile(snapshot(1_001), question)).to.equal('older');
      expect(b.doubt).to.equal('unreadable_frame');
    });

    it('is what the channel made of it, if that came without a time after the question', () => {
      const b = live();
      const question = b.question(10);
      b.applySnapshot({ ...snapshot(1_000, { bids: [level(4_950)] }), timestampMs: null }, 11);
      expect(b.reconcile(snapshot(1_005), question)).to.equal('older');
      expect(b.bids.bestTicks).to.equal(4_950);
    });

    it('is what the channel made of it, if REST shows another book of the same millisecond', () => {
      const b = live();
      const question = b.question(10);
      b.applyChange({ ...change(4_950, 3), hash: 'first' }, 1_001);
      b.applyChange({ ...change(4_950, 0), hash: 'second' }, 1_001);
      expect(b.reconcile(snapshot(1_001, { bids: [level(4_950, 3)], hash: 'first' }), question)).to.equal('older');
      expect(b.bids.bestTicks).to.equal(4_900);
    });

    it('is confirmed by the very book that the channel brought while REST was asked', () => {
      const b = live();
      const question = b.question(10);
      b.applyChange({ ...change(4_950, 3), hash: 'first' }, 1_001);
      const same = snapshot(1_001, { bids: [level(4_900, 1), level(4_950, 3)], hash: 'first' });
      expect(b.reconcile(same, question)).to.not.equal('older');
      expect([b.bids.bestTicks, b.rechecked]).to.deep.equal([4_950, true]);
    });

    it('is not taken back to an older answer where its own hash proves it', () => {
      for (const isProven of [true, false]) {
        const b = live();
        b.applyChange(change(4_950, 3), 1_010);
        b.castDoubt('trade_without_book', 'a later hash', 1_020);
        if (isProven) b.prove();
        expect(b.reconcile(snapshot(1_000), b.question(10))).to.equal(isProven ? 'older' : 'corrected');
        expect(b.bids.bestTicks).to.equal(isProven ? 4_950 : 4_900);
      }
    });
  });

  it('is confirmed by its best prices alone for a while after the last word on the whole book', () => {
    const b = live();
    for (const saidAtMs of [1_000, 3_000, 9_000, 60_000]) b.confirmTop(saidAtMs);
    expect(b.confirmedAtMs).to.equal(4_005);
    b.confirm(8_000);
    b.confirmTop(9_000);
    expect(b.confirmedAtMs).to.equal(9_000);
  });

  describe('is confirmed by its proof alone', () => {
    const PROOF = { timestampMs: 1_000, hash: 'hash-1000' };

    /** A book that REST showed when it was asked at our time 10. */
    const shown = (over: Partial<BookSnapshot> = {}) => {
      const b = live();
      b.reconcile(snapshot(1_000, over), b.question(10));
      b.prove();
      return b;
    };

    it('as it is by the whole book', () => {
      const [byProof, byBook] = [shown(), shown()];
      const questions = [byProof.question(50), byBook.question(50)] as const;
      expect(byProof.reconcileProof(PROOF, questions[0])).to.equal(true);
      expect(byBook.reconcile(snapshot(1_000), questions[1])).to.equal('confirmed');
      for (const key of [
        'confirmedAtMs',
        'witnessedAtMs',
        'requestedAtMs',
        'timestampMs',
        'synced',
        'doubt',
        'listed',
      ] as const) {
        expect(byProof[key], key).to.equal(byBook[key]);
      }
      expect(byProof.confirmedAtMs).to.equal(50);
      expect(byProof.witnessedVersion, 'a witness of what it is now').to.equal(byProof.version);
    });

    it('which does not make it older than the market channel has made it', () => {
      const b = shown();
      const question = b.question(20);
      b.confirm(60);
      expect(b.reconcileProof(PROOF, question)).to.equal(true);
      expect(b.confirmedAtMs).to.equal(60);
    });

    const cases: readonly [string, OrderBook, Partial<typeof PROOF>][] = [
      ['another hash', shown(), { hash: 'hash-999' }],
      ['another moment', shown(), { timestampMs: 999 }],
      ['a book of the market channel, whose hash nobody reckoned', live(), {}],
      ['a book without a hash', shown({ hash: null }), {}],
      ['a ghost', shown({ bids: [level(100)], asks: [level(9_900)] }), {}],
      ['a crossed book', shown({ bids: [level(5_200)] }), {}],
    ];
    for (const [name, b, over] of cases) {
      it(`but not by or as ${name}`, () => {
        const before = b.confirmedAtMs;
        expect(b.isProvenBy({ ...PROOF, ...over })).to.equal(false);
        expect(b.reconcileProof({ ...PROOF, ...over }, b.question(50))).to.equal(false);
        expect(b.confirmedAtMs).to.equal(before);
      });
    }

    it('but not while it is in doubt', () => {
      const b = shown();
      b.castDoubt('hash', 'any hash');
      expect(b.isProvenBy(PROOF)).to.equal(false);
    });

    it('but not after a change, even one that changed nothing but the hash', () => {
      const changed = shown();
      changed.applyChange({ ...change(4_950, 3), hash: PROOF.hash }, 1_000);
      expect(changed.isProvenBy(PROOF), 'a level').to.equal(false);
      const missed = shown();
      missed.applyChange({ ...change(4_900, 1_000_000), hash: 'hash-1001' }, 1_001);
      expect(missed.isProvenBy({ timestampMs: 1_001, hash: 'hash-1001' }), 'a duplicate').to.equal(false);
    });
  });
});
