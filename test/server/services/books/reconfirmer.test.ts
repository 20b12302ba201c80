import { expect } from 'chai';
import type { BookAnswer, BookProof, BookSnapshot } from '#domain/book/book';
import { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import type { BookSource, CallClass } from '#ports/venue';
import { Reconfirmer } from '#services/books/reconfirmer';
import { HASHED_FIELDS } from '#test/support/hashed-book';
import { ManualClock } from '#test/support/manual-clock';
import { RecordedLog } from '#test/support/recorded-log';
import { sampleMarket, tokenId } from '#test/support/sample-markets';
import { bookHash } from '#wire/polymarket/book-hash';

const sampleBooks = (count: number): OrderBook[] =>
  Array.from({ length: count }, (_, n) => new OrderBook(tokenId(`${n + 1}`), sampleMarket(1).conditionId));

const emptySnapshot = (token: TokenId): BookSnapshot => ({
  tokenId: token,
  conditionId: sampleMarket(1).conditionId,
  bids: [],
  asks: [],
  timestampMs: 1,
  hash: null,
  minOrderSize: null,
  tickSize: null,
  negRisk: null,
  lastTradePrice: null,
});

const emptyBook = (token: TokenId): BookAnswer => ({ kind: 'book', snapshot: emptySnapshot(token) });

describe('the second look at a book', () => {
  for (const way of ['alone', 'among many'] as const) {
    const look = async (book: OrderBook, snapshot: BookSnapshot) => {
      const answer = { kind: 'book', snapshot } as const;
      const source: BookSource = {
        fetchBook: async () => snapshot,
        fetchBooks: async () => new Map([[book.tokenId, answer]]),
      };
      const clock = new ManualClock();
      const reconfirmer = new Reconfirmer({ source, clock, time: clock, log: new RecordedLog() });
      if (way === 'alone') return !(await reconfirmer.reconfirm(book, 'caller'));
      await reconfirmer.reconfirmAll([book]);
      return book.confirmedAtMs !== null;
    };

    it(`takes no book of another market (${way})`, async () => {
      const [book] = sampleBooks(1);
      const other = { ...emptySnapshot(book!.tokenId), conditionId: sampleMarket(2).conditionId };
      expect(await look(book!, other)).to.equal(false);
      expect(book!.confirmedAtMs).to.equal(null);
    });

    it(`takes a book with a time that is still to come, and not its time (${way})`, async () => {
      const [book] = sampleBooks(1);
      const ahead = new ManualClock().nowMs() * 1e3;
      expect(await look(book!, { ...emptySnapshot(book!.tokenId), timestampMs: ahead })).to.equal(true);
      expect([book!.timestampMs, book!.listed]).to.deep.equal([0, true]);
    });
  }

  it('that a caller waits for is asked for as a caller’s, also while the same one is under way in the background', async () => {
    const market = sampleMarket(1);
    const book = new OrderBook(market.outcomes[0]!.tokenId, market.conditionId);
    const requested: CallClass[] = [];
    const answers: Record<CallClass, () => void> = { caller: () => {}, background: () => {} };
    const source: BookSource = {
      fetchBook: (_, callClass) => {
        requested.push(callClass);
        return new Promise((resolve) => {
          answers[callClass] = () => resolve(null);
        });
      },
      // The bulk answer leaves the book out, which has to be asked for by itself then.
      fetchBooks: async () => new Map(),
    };
    const reconfirmer = new Reconfirmer({
      source,
      clock: new ManualClock(),
      time: new ManualClock(),
      log: { warn() {} } as never,
    });
    const background = reconfirmer.reconfirmAll([book]);
    await new Promise(setImmediate);
    expect(requested).to.deep.equal(['background']);
    const callers = [reconfirmer.reconfirm(book, 'caller'), reconfirmer.reconfirm(book, 'caller')];
    expect(requested, 'callers share theirs').to.deep.equal(['background', 'caller']);
    answers.caller();
    await Promise.all(callers);
    answers.background();
    await background;
  });

  it('comes in parts, each compared as soon as it is there', async () => {
    const books = sampleBooks(250);
    const requested: (() => void)[] = [];
    const source: BookSource = {
      fetchBook: () => Promise.reject(new Error('nothing is left out')),
      fetchBooks: (tokenIds) =>
        new Promise((resolve) => {
          requested.push(() => resolve(new Map(tokenIds.map((tokenId) => [tokenId, emptyBook(tokenId)]))));
        }),
    };
    const reconfirmer = new Reconfirmer({
      source,
      clock: new ManualClock(),
      time: new ManualClock(),
      log: new RecordedLog(),
    });
    const all = reconfirmer.reconfirmAll(books);
    const confirmed = () => books.filter(({ confirmedAtMs }) => confirmedAtMs !== null).length;
    expect(requested).to.have.length(3);
    const seen: number[] = [];
    for (const answer of [...requested].reverse()) {
      answer();
      await new Promise(setImmediate);
      seen.push(confirmed());
    }
    await all;
    expect(seen).to.deep.equal([50, 150, 250]);
  });

  describe('by its hash', () => {
    const TOKEN = tokenId('1');
    const bids = [{ priceTicks: 4_900, sizeMicros: 1_000_000 }];
    const asks = [{ priceTicks: 5_100, sizeMicros: 1_000_000 }];
    const whole = { ...emptySnapshot(TOKEN), ...HASHED_FIELDS, bids, asks, timestampMs: 1_000 };
    const hash = bookHash({ ...whole, bidsAscending: bids, asksDescending: asks });
    const PROOF: BookProof = { timestampMs: 1_000, hash: hash! };
    const shown = (): BookSnapshot => ({ ...whole, hash });

    /**
     * REST shows the book whole, then says its hash alone where it is told that this is enough.
     * `meanwhile` comes before it is heard.
     */
    async function lookAtTwice(meanwhile: (book: OrderBook) => void, first = shown()) {
      const book = new OrderBook(TOKEN, sampleMarket(1).conditionId);
      const clock = new ManualClock();
      const isHeld: boolean[] = [];
      const source: BookSource = {
        fetchBook: () => Promise.reject(new Error('nothing is left out')),
        fetchBooks: async (_tokenIds, held) => {
          isHeld.push(held?.(TOKEN, PROOF) ?? false);
          const answer: BookAnswer = isHeld.at(-1)
            ? { kind: 'as_held', proof: PROOF }
            : { kind: 'book', snapshot: isHeld.length === 1 ? first : shown() };
          if (isHeld.length > 1) meanwhile(book);
          return new Map([[TOKEN, answer]]);
        },
      };
      const reconfirmer = new Reconfirmer({ source, clock, time: clock, log: new RecordedLog() });
      await reconfirmer.reconfirmAll([book]);
      clock.advance(4_000);
      await reconfirmer.reconfirmAll([book]);
      return { book, isHeld, ageMs: book.ageMs(clock.elapsedMs()) };
    }

    it('is enough for a book that stands still', async () => {
      const { book, isHeld, ageMs } = await lookAtTwice(() => {});
      expect(isHeld).to.deep.equal([false, true]);
      expect(ageMs).to.equal(0);
      expect(book.bids.bestTicks).to.equal(4_900);
    });

    it('is not enough for a book that it does not fit: it is read again, whole', async () => {
      const { book, isHeld, ageMs } = await lookAtTwice(() => {}, { ...shown(), asks: [] });
      expect([isHeld, ageMs]).to.deep.equal([[false, false], 0]);
      expect(book.asks.bestTicks).to.equal(5_100);
    });

    it('says nothing about a book that changed since the answer was read', async () => {
      const { ageMs } = await lookAtTwice((book) => {
        book.synced = true;
        book.applyChange({ tokenId: TOKEN, side: 'BUY', priceTicks: 4_950, sizeMicros: 1, hash: 'other' }, 2_000);
      });
      expect(ageMs).to.equal(4_000);
    });
  });

  it('is told once a second where it fails, with how many failed meanwhile', async () => {
    const clock = new ManualClock();
    const log = new RecordedLog();
    const source: BookSource = {
      fetchBook: () => Promise.reject(new Error('refused')),
      fetchBooks: () => Promise.reject(new Error('refused')),
    };
    const reconfirmer = new Reconfirmer({ source, clock, time: clock, log });
    await reconfirmer.reconfirmAll(sampleBooks(250));
    clock.advance(999);
    await reconfirmer.reconfirm(sampleBooks(1)[0]!, 'caller');
    clock.advance(1);
    await reconfirmer.reconfirm(sampleBooks(1)[0]!, 'caller');
    expect(log.facts).to.deep.equal([
      { books: 100, reason: 'refused' },
      { tokenId: tokenId('1'), failedBefore: 3, reason: 'refused' },
    ]);
  });
});
