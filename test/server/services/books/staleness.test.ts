import { expect } from 'chai';
import type { OrderVerdict } from '#api/order-verdict';
import { OrderBook } from '#domain/book/order-book';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import type { LocalMarket } from '#local/venue/start-local-venue';
import { OPEN } from '#test/support/arbitrary-books';
import { type LiveVerdicts, startLiveVerdicts, until } from '#test/support/live-verdicts';
import { parseClobBook } from '#wire/polymarket/clob';

const SLUG = 'will-arcadia-call-a-snap-election-by-december-31';
const FEE = { rate: 0.04, exponent: 1, category: 'politics_fees', known: true };
/** How long frames on loopback may take to arrive and be applied. */
const SETTLE_MS = 60;
/**
 * Sockets are read between two timers. On a busy machine one long wait may end before they were
 * read at all.
 */
const SETTLE_STEPS = 10;

/** In so many times of settling the hashes of changed books have been looked at. */
const LOOKS_AT_HASH = 8;

async function settle(): Promise<void> {
  for (let step = 0; step < SETTLE_STEPS; step++) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS / SETTLE_STEPS));
  }
}

describe('a verdict when the venue misbehaves', () => {
  let live: LiveVerdicts;
  let market: LocalMarket;

  beforeEach(async () => {
    live = await startLiveVerdicts();
    market = live.market(SLUG);
    await judge();
    await until('the socket is live', () => live.books.report().feed.live === 1);
  });
  afterEach(() => live.stop());

  const judge = (more: object = {}) => live.judge({ slug: SLUG, usd: 200, ...more });

  /** The verdict on the venue's own book, asked for directly while its REST is well. */
  async function truth(): Promise<ReturnType<typeof assess>> {
    const answer = await fetch(`${live.venue.clobUrl}/book?token_id=${market.outcomes[0]!.tokenId}`);
    const snapshot = parseClobBook(await answer.json())!;
    const book = new OrderBook(snapshot.tokenId, snapshot.conditionId);
    book.reconcile(snapshot, book.question(0));
    const about = { fee: FEE, minOrderShares: 5, status: OPEN };
    return assess({ side: 'BUY', usd: 200, thresholds: DEFAULT_THRESHOLDS, market: about, book, bookAgeMs: 0 });
  }

  /** What a verdict says of the book, without its age. */
  const shown = ({ verdict, numbers }: OrderVerdict) => ({
    verdict,
    best: numbers.best_price,
    vwap: numbers.expected_vwap,
    depth: numbers.visible_depth_usd,
    safe: numbers.safe_size_usd,
  });
  const trueShown = ({ verdict, facts }: ReturnType<typeof assess>) => ({
    verdict,
    best: facts.numbers.bestPrice,
    vwap: facts.numbers.expectedVwap,
    depth: facts.numbers.visibleDepthUsd,
    safe: facts.numbers.safeSizeUsd,
  });

  async function expectTruth(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      live.venue.step();
      await settle();
      expect(shown(await judge()), `after step ${step}`).to.deep.equal(trueShown(await truth()));
    }
  }

  it('is the truth while nothing is wrong, and needs REST only once', async () => {
    live.venue.faults.restDown('clob', false);
    await expectTruth(15);
  });

  it('is at hand where it needs nothing of the venue, and only there', async () => {
    live.venue.faults.restDown('clob', false);
    await judge();
    const requested = live.booksRequested();
    expect(live.isCached({ slug: SLUG })).to.equal(true);
    await judge();
    expect(live.booksRequested(), 'as it said').to.equal(requested);
    expect(live.isCached({ slug: 'some-other-market' }), 'a market that was not looked for').to.equal(false);
    live.clock.skip(6_000);
    expect(live.isCached({ slug: SLUG }), 'a book that has to be confirmed').to.equal(false);
  });

  it('grows old and becomes VETO at the limit with the socket frozen (PONG alive) and REST down', async () => {
    live.venue.faults.freezeSocket = true;
    live.venue.faults.restDown('clob');
    live.clock.skip(30_000);
    const half = await judge();
    expect(half.verdict).to.equal('OK');
    expect(half.numbers.book_age_seconds).to.be.within(30, 40);
    live.clock.skip(31_000);
    const old = await judge();
    expect(old.verdict).to.equal('VETO');
    expect(old.numbers.book_age_seconds).to.be.within(61, 75);
    expect(old.reasons[0]).to.match(/^book was last confirmed 6\d(\.\d+)? s ago, above the limit of 60 s$/);
    expect(old.numbers.safe_size_usd).to.equal(0);
  });

  it('holds to the limit that the caller sets', async () => {
    live.venue.faults.freezeSocket = true;
    live.venue.faults.restDown('clob');
    live.clock.skip(2_000);
    expect((await judge({ max_book_age_s: 1 })).verdict).to.equal('VETO');
    expect((await judge({ max_book_age_s: 3_600 })).verdict).to.equal('OK');
  });

  it('is re-confirmed by REST while the socket is frozen', async () => {
    live.venue.faults.freezeSocket = true;
    live.venue.step(5);
    live.clock.skip(61_000);
    const answer = await judge();
    expect(answer.numbers.book_age_seconds).to.be.below(5);
    expect(shown(answer)).to.deep.equal(trueShown(await truth()));
  });

  it('replaces a socket that is frozen while books move, and recovers by itself', async () => {
    live.venue.faults.freezeSocket = true;
    const before = live.books.report().feed.counters.frames;
    for (let look = 0; look < 3; look++) {
      live.venue.step();
      live.clock.skip(6_000);
      await judge();
    }
    await until('the frozen socket is given up', () => live.books.report().feed.live === 0);
    live.venue.faults.clear();
    await until('a new socket is live', () => live.books.report().feed.live === 1);
    expect(live.books.report().feed.counters.frames).to.be.above(before);
    await expectTruth(3);
  });

  it('sees a frozen socket through the markets that it goes on to announce', async () => {
    live.venue.faults.newMarkets = true;
    live.venue.faults.freezeSocket = true;
    for (let look = 0; look < 3; look++) {
      live.clock.skip(6_000);
      live.venue.step();
      await settle();
      await judge();
    }
    await until('the frozen socket is given up', () => live.books.report().feed.live === 0);
    live.venue.faults.clear();
    await until('a new socket is live', () => live.books.report().feed.live === 1);
  });

  it('is not fooled by one frozen token among others that move', async () => {
    live.venue.faults.freezeToken(market.outcomes[0]!.tokenId);
    live.venue.step(5);
    live.clock.skip(6_000);
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
  });

  it('is not fooled by a frozen market among others that move, with REST down: its book grows to VETO', async () => {
    const other = live.market('will-the-northgate-ceasefire-hold-through-2026');
    await judge({ slug: other.slug });
    for (const { tokenId } of market.outcomes) live.venue.faults.freezeToken(tokenId);
    live.venue.faults.restDown('clob');
    for (let look = 0; look < 3; look++) {
      live.clock.skip(21_000);
      live.venue.step(3, other.slug);
      await settle();
    }
    expect((await judge({ slug: other.slug })).numbers.book_age_seconds, 'the other is confirmed').to.be.below(21);
    const frozen = await judge();
    expect(frozen.verdict).to.equal('VETO');
    expect(frozen.numbers.book_age_seconds).to.be.within(63, 80);
  });

  describe('of a channel that is behind', () => {
    const LATE_MS = 30_000;
    const OTHER = 'will-the-northgate-ceasefire-hold-through-2026';

    /** Frames of half a minute ago come now, and none of now for this market. */
    async function comeLate(): Promise<void> {
      await judge();
      await live.judge({ slug: OTHER, usd: 200 });
      await settle();
      live.venue.faults.holdFrames = true;
      live.venue.step(3, SLUG);
      live.clock.skip(LATE_MS);
      live.venue.faults.holdFrames = false;
      live.venue.step(1, OTHER);
      await settle();
    }

    it('counts its age from when the venue wrote what it brought last', async () => {
      live.venue.faults.restDown('clob');
      await comeLate();
      const late = await judge({ max_book_age_s: 20 });
      expect(late.verdict).to.equal('VETO');
      expect(late.numbers.book_age_seconds).to.be.within(LATE_MS / 1e3, LATE_MS / 1e3 + 10);
      live.venue.step(1, SLUG);
      await settle();
      expect((await judge()).numbers.book_age_seconds, 'once it has caught up').to.be.below(5);
    });

    it('is compared with REST before it is judged', async () => {
      await judge();
      const requested = live.booksRequested();
      await comeLate();
      const late = await judge();
      expect(live.booksRequested(), 'beforehand or now').to.be.above(requested);
      expect(late.numbers.book_age_seconds).to.be.below(5);
      expect(shown(late)).to.deep.equal(trueShown(await truth()));
    });
  });

  /** REST goes down, and then a frame of another market cannot be read: the book is in doubt. */
  async function missFrame(): Promise<void> {
    const other = 'will-the-northgate-ceasefire-hold-through-2026';
    await live.judge({ slug: other, usd: 200 });
    await settle();
    live.venue.faults.restDown('clob');
    live.venue.faults.garbageFrames = true;
    live.venue.step(1, other);
    await settle();
  }

  it('is none while REST is down and a frame could not be read, until the book is known again', async () => {
    await missFrame();
    expect(await judge().catch((problem: unknown) => problem)).to.include({ code: 'venue_unavailable' });
    live.venue.faults.clear();
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
  });

  it('is known again by the first book of a new connection, which was asked for, though REST is down', async () => {
    await missFrame();
    live.venue.faults.garbageFrames = false;
    live.venue.faults.dropSockets();
    await until('a new connection has brought it', async () => {
      const answer = await judge().catch(() => null);
      return answer !== null && live.books.report().feed.live === 1;
    });
    expect((await judge()).numbers.book_age_seconds).to.be.below(10);
  });

  it('is none while REST is down and hashes differ that had agreed: a change was lost', async () => {
    await until('a hash has agreed', () => {
      live.venue.step(1, SLUG);
      return live.books.report().hashes.agreed > 0;
    });
    await judge();
    live.venue.faults.restDown('clob');
    for (const { tokenId } of market.outcomes) live.venue.faults.freezeToken(tokenId);
    live.venue.step(3, SLUG);
    for (const { tokenId } of market.outcomes) live.venue.faults.freezeToken(tokenId, false);
    await until('a hash differs', () => {
      live.venue.step(1, SLUG);
      return live.books.report().hashes.differed > 0;
    });
    expect(await judge().catch((problem: unknown) => problem)).to.include({ code: 'venue_unavailable' });
    live.venue.faults.clear();
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
  });

  it('compares a book with REST within two looks at its hash when a change was lost silently', async () => {
    for (const { tokenId } of market.outcomes) live.venue.faults.freezeToken(tokenId);
    live.venue.step(2, SLUG);
    live.venue.faults.clear();
    const requested = live.booksRequested();
    // Frames go on, so that it is not its age for which REST is asked.
    await until('REST is asked for the book', () => {
      live.venue.step(1, SLUG);
      return live.booksRequested() > requested;
    });
    expect(live.books.report().hashes.differed).to.be.above(0);
    await until('the book is true again', async () => {
      const [ours, theirs] = [shown(await judge()), trueShown(await truth())];
      return JSON.stringify(ours) === JSON.stringify(theirs);
    });
  });

  for (const [name, stepMs] of [
    ['an hour back', -3_600_000],
    ['an hour ahead', 3_600_000],
    ['25 hours ahead', 25 * 3_600_000],
  ] as const) {
    it(`is never OK on an old book when the wall clock is set ${name} under a silent venue`, async () => {
      live.venue.faults.freezeSocket = true;
      live.venue.faults.restDown('clob');
      live.venue.step(5);
      live.clock.step(stepMs);
      for (let look = 0; look < 3; look++) {
        const answer = await judge().catch((problem: unknown) => problem);
        expect(answer, 'no book is left').to.include({ code: 'venue_unavailable' });
        live.clock.skip(30_000);
      }
      expect(live.steps).to.have.length(1);
      expect(live.steps[0]).to.be.closeTo(stepMs, 100);

      live.venue.faults.clear();
      live.clock.skip(5_000);
      expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
    });
  }

  it('ages a book by elapsed time while the wall clock is held back by steps that are too small to notice', async () => {
    live.venue.faults.freezeSocket = true;
    live.venue.faults.restDown('clob');
    for (let look = 0; look < 61; look++) {
      live.clock.skip(1_000);
      live.clock.step(-1_000);
      await live.judge({ slug: SLUG, usd: 200 });
    }
    const old = await judge();
    expect(old.verdict).to.equal('VETO');
    expect(old.numbers.book_age_seconds).to.be.within(61, 75);
    expect(live.steps).to.deep.equal([]);
  });

  it('survives a reset of the socket: new snapshot, then live again', async () => {
    live.venue.faults.dropSockets();
    await until('the loss is noticed', () => live.books.report().feed.live === 0);
    live.venue.step(5);
    live.clock.skip(1_001);
    expect(shown(await judge()), 'meanwhile REST is asked').to.deep.equal(trueShown(await truth()));
    await until('the socket is live again', () => live.books.report().feed.live === 1);
    await expectTruth(3);
  });

  it('survives a black hole behind the socket: REST carries the verdicts', async () => {
    live.venue.faults.blackholeSockets = true;
    live.venue.faults.dropSockets();
    for (let step = 0; step < 3; step++) {
      live.venue.step();
      live.clock.skip(6_000);
      expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
    }
  });

  it('is right with every frame sent twice', async () => {
    live.venue.faults.duplicateFrames = true;
    await expectTruth(10);
  });

  for (const fault of [
    'repeatFrames',
    'nullFields',
    'textLines',
    'lateAnnouncements',
    'tradesInChanges',
    'dumpsOnRequest',
  ] as const) {
    it(`is right under ${fault}`, async () => {
      live.venue.faults[fault] = true;
      await expectTruth(6);
      expect(live.books.report().feed.counters.bad).to.equal(0);
    });
  }

  for (const fault of ['repeatFrames', 'textLines', 'lateAnnouncements', 'tradesInChanges'] as const) {
    it(`needs REST for no doubt under ${fault}: hashes end them all`, async () => {
      live.venue.faults[fault] = true;
      live.venue.faults.restDown('clob');
      for (let step = 0; step < 12; step++) {
        live.venue.step(2, SLUG);
        await settle();
      }
      await until('nothing is in doubt', async () => {
        live.venue.step(1, SLUG);
        for (let look = 0; look < LOOKS_AT_HASH; look++) {
          await settle();
          if (live.isCached({ slug: SLUG })) return true;
        }
        return false;
      });
      const answer = await judge({ max_book_age_s: 5 });
      live.venue.faults.restDown('clob', false);
      expect(shown(answer)).to.deep.equal(trueShown(await truth()));
    });
  }

  it('finds by its hash that a level was left out, and is right after a look at REST', async () => {
    live.venue.faults.omitLevels = true;
    await until('a hash differs', () => {
      live.venue.step(1, SLUG);
      return live.books.report().hashes.differed > 0;
    });
    await until('the book is true', async () => {
      const [ours, theirs] = [shown(await judge()), trueShown(await truth())];
      return JSON.stringify(ours) === JSON.stringify(theirs);
    });
  });

  it('is VETO at once where a socket is closed because its tokens are resolved, and opens no other', async () => {
    live.venue.faults.closeResolved = true;
    live.venue.faults.resolveMarket(SLUG);
    await until('the socket is gone', () => live.books.report().feed.sockets === 0);
    for (let look = 0; look < 5; look++) {
      const answer = await judge();
      expect([answer.verdict, answer.reasons[0]]).to.deep.equal([
        'VETO',
        'market is closed: 0 of 200 USD can be filled',
      ]);
      live.clock.skip(2_000);
      await settle();
    }
    expect(live.venue.socketCount).to.equal(0);
    const other = live.market('will-the-northgate-ceasefire-hold-through-2026');
    await judge({ slug: other.slug });
    await until('another market has a socket', () => live.books.report().feed.live === 1);
  });

  it('is right, refused without a charge, or VETO for an old book while an edge answers many a request', async () => {
    const LOOKS = 60;
    const refused: unknown[] = [];
    for (let look = 0; look < LOOKS; look++) {
      live.venue.step(1, SLUG);
      live.clock.skip(40_000);
      live.venue.faults.mishaps = 0.2;
      const answer = await judge({ max_book_age_s: 5 }).catch((error: Error) => error);
      live.venue.faults.mishaps = 0;
      if (answer instanceof Error) refused.push(answer);
      else if (!answer.reason_codes.includes('BOOK_STALE')) {
        expect(shown(answer)).to.deep.equal(trueShown(await truth()));
      }
    }
    for (const error of refused) expect(error).to.include({ code: 'venue_unavailable' });
    expect(refused.length).to.be.below(LOOKS * 0.75);
    live.clock.skip(40_000);
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
  });

  it('is right while the venue calls us a slow consumer, and live again afterwards', async () => {
    live.venue.faults.slowConsumers = true;
    live.venue.step(1, SLUG);
    await until('the socket is closed', () => live.books.report().feed.live === 0);
    for (let step = 0; step < 3; step++) {
      live.venue.step(1, SLUG);
      live.clock.skip(1_001);
      expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
    }
    live.venue.faults.clear();
    await until('the socket is live', () => live.books.report().feed.live === 1);
  });

  it('is right with frames in the wrong order: what is in doubt is compared with REST first', async () => {
    live.venue.faults.reorderFrames = true;
    for (let step = 0; step < 10; step++) {
      // An even number of frames, so that none is held back.
      live.venue.step(2);
      await settle();
      const answer = await judge();
      if (answer.verdict === 'OK' && answer.numbers.book_age_seconds < 0.05) {
        expect(shown(answer)).to.deep.equal(trueShown(await truth()));
      }
    }
    live.venue.faults.reorderFrames = false;
    live.venue.step(2);
    live.clock.skip(6_000);
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
  });

  it('is right in the legacy form of frames, and between broken ones', async () => {
    live.venue.faults.legacyFrames = true;
    await expectTruth(5);
    live.venue.faults.garbageFrames = true;
    await expectTruth(5);
    expect(live.books.report().feed.counters.bad).to.be.above(0);
  });

  it('is right though every hash on the channel is wrong, also with REST down', async () => {
    live.venue.faults.wrongHashes = true;
    await expectTruth(5);
    live.venue.step();
    await settle();
    const expected = trueShown(await truth());
    live.venue.faults.restDown('clob');
    expect(shown(await judge())).to.deep.equal(expected);
  });

  it('is never OK on a ghost book (0.01 / 0.99), and sees through it with REST', async () => {
    const tokenId = market.outcomes[0]!.tokenId;
    live.venue.faults.ghostBook(tokenId);
    await settle();
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
    live.venue.faults.ghostBook(tokenId, 'both');
    await settle();
    for (const side of ['BUY', 'SELL']) expect((await judge({ side })).verdict, side).to.not.equal('OK');
  });

  it('is VETO on a book that stays crossed, and right where a second look cures it', async () => {
    const tokenId = market.outcomes[0]!.tokenId;
    live.venue.faults.crossBook(tokenId);
    await settle();
    expect(shown(await judge())).to.deep.equal(trueShown(await truth()));
    live.venue.faults.crossBook(tokenId, 'both');
    await settle();
    const crossed = await judge();
    expect(crossed.verdict).to.equal('VETO');
    expect(crossed.reasons.join()).to.match(
      /book is crossed: best bid 0\.\d+ is not below best ask 0\.\d+, and the venue's REST shows it crossed too/,
    );
  });

  it('says of a book that is crossed while REST is away that nothing came to compare it with', async () => {
    live.venue.faults.crossBook(market.outcomes[0]!.tokenId);
    live.venue.faults.restDown('clob');
    await settle();
    const { verdict, reasons } = await judge();
    expect(verdict).to.equal('VETO');
    expect(reasons[0]).to.match(/ and no answer of the venue's REST to compare it with came before this verdict$/);
  });

  it('is VETO after the market resolved, though the catalog still shows it open', async () => {
    live.venue.faults.resolveMarket(SLUG);
    await settle();
    expect((await judge()).verdict).to.equal('VETO');
  });

  it('is refused without a charge where the venue never showed a book', async () => {
    live.venue.faults.restDown('clob');
    live.venue.faults.freezeSocket = true;
    const other = 'will-the-northgate-ceasefire-hold-through-2026';
    const answer = await live.judge({ slug: other }).catch((problem) => problem);
    expect(answer).to.include({ code: 'venue_unavailable' });
  });

  it('holds no more books than it is asked about, however many tokens are named', async () => {
    const unknown = Array.from({ length: 50 }, (_, n) => live.judge({ token_id: `9${n}` }).catch(({ code }) => code));
    expect(new Set(await Promise.all(unknown))).to.deep.equal(new Set(['unknown_market']));
    expect(live.books.report().held).to.equal(1);
  });
});
