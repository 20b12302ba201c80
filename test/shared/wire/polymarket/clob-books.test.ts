import { expect } from 'chai';
import fc from 'fast-check';
import type { IsHeld } from '#domain/book/book';
import type { TokenId } from '#domain/ids';
import { needCaptures, readCaptureJson, readCaptureLines } from '#test/support/captures';
import { PROPERTY_RUNS } from '#test/support/size';
import { parseClobBook } from '#wire/polymarket/clob';
import { readClobBooks } from '#wire/polymarket/clob-books';

const NONE: IsHeld = () => false;

/** What every book by itself would be read as. */
function wholeBooks(text: string): ReturnType<typeof readClobBooks> {
  const raw: unknown = JSON.parse(text);
  if (!Array.isArray(raw)) return null;
  const books = raw.map(parseClobBook).filter((book) => book !== null);
  return {
    answers: books.map((snapshot) => [snapshot.tokenId, { kind: 'book', snapshot }]),
    badCount: raw.length - books.length,
  };
}

const outcomeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return (error as Error).name;
  }
};

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const levels = fc.array(
  fc.record({ price: fc.constantFrom('0.4', '0.41', '.5', '1', ''), size: fc.constantFrom('10', '0.5', '1e3', '-1') }),
  { maxLength: 3 },
);
/** Most of them in the venue's usual form, some with what a book cannot have. */
const wireBook = fc.record({
  market: fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .constantFrom(62, 64)
        .chain(hex)
        .map((digits) => `0x${digits}`),
    },
    { weight: 1, arbitrary: fc.string() },
  ),
  asset_id: fc.oneof(
    { weight: 9, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 77n }).map(String) },
    { weight: 1, arbitrary: fc.string() },
  ),
  timestamp: fc.oneof(
    { weight: 9, arbitrary: fc.nat().map(String) },
    { weight: 1, arbitrary: fc.constantFrom('', 'x', '99999999999999999') },
  ),
  hash: fc.oneof({ weight: 9, arbitrary: hex(40) }, { weight: 1, arbitrary: fc.string() }),
  bids: levels,
  asks: levels,
  min_order_size: fc.constantFrom('5', ''),
  tick_size: fc.constantFrom('0.01', null),
  neg_risk: fc.boolean(),
  last_trade_price: fc.constantFrom('0.490', '', '},{"market":"', '"}]'),
});
const answerText = fc.array(wireBook, { maxLength: 4 }).map((books) => JSON.stringify(books));

/** The text with a piece of it taken out, or something put in. */
const mutated = fc
  .tuple(
    answerText,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', '', '"', '}', '{"market":"', ' ', '\\', ',', ']'),
  )
  .map(([text, at, length, put]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + length);
  });

describe('the answer of POST /books', () => {
  it('is read book by book as it is read whole, whatever is in it', () => {
    fc.assert(
      fc.property(fc.oneof(answerText, mutated), (text) => {
        expect(outcomeOf(() => readClobBooks(text, NONE))).to.deep.equal(outcomeOf(() => wholeBooks(text)));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('is read without the levels of what is held, and in all else as it is', () => {
    fc.assert(
      fc.property(answerText, fc.func(fc.boolean()), (text, isHeld) => {
        const whole = wholeBooks(text)!;
        const read = readClobBooks(text, isHeld)!;
        const heldOf = new Map(read.answers.filter(([, { kind }]) => kind === 'as_held'));
        for (const [token, answer] of heldOf) {
          if (answer.kind === 'as_held') expect(isHeld(token, answer.proof)).to.equal(true);
        }
        const others = (answers: typeof read.answers) => answers.filter(([token]) => !heldOf.has(token));
        expect(others(read.answers)).to.deep.equal(others(whole.answers));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('gives the proofs of all recorded books, and the books themselves', function () {
    needCaptures(this);
    const runs = readCaptureLines('clob-rest/books_run_20260311T214149Z.jsonl.gz') as { books: unknown[] }[];
    const fed = readCaptureJson('gamma/fed-decision-in-june-825/clob-books.json') as unknown[];
    const text = JSON.stringify([...runs.flatMap((run) => run.books), ...fed]);
    const whole = wholeBooks(text)!;
    expect(readClobBooks(text, NONE)).to.deep.equal(whole);
    const proofs = whole.answers.map(([token, answer]) => {
      if (answer.kind !== 'book') throw new Error('not whole');
      const { timestampMs, hash } = answer.snapshot;
      return [token, { kind: 'as_held', proof: { timestampMs, hash } }];
    });
    expect(readClobBooks(text, () => true)).to.deep.equal({ answers: proofs, badCount: 0 });
    expect(proofs).to.have.length(70);
  });

  it('is no answer where it is cut off, be its last book held or not', () => {
    const book = {
      market: `0x${'ab'.repeat(32)}`,
      asset_id: '7',
      timestamp: '1',
      hash: 'cd'.repeat(20),
      bids: [{ price: '0.4', size: '10' }],
      asks: [],
    };
    const text = JSON.stringify([book, book]);
    for (const end of [1, 2, 10, 20]) {
      for (const isHeld of [NONE, () => true]) {
        expect(() => readClobBooks(text.slice(0, -end), isHeld), `${end} off`).to.throw(SyntaxError);
      }
    }
  });

  it('counts bad entries, drops them and keeps the others', () => {
    const book = (token: string) => ({
      market: `0x${'ab'.repeat(32)}`,
      asset_id: token,
      timestamp: '1785130185252',
      hash: 'cd'.repeat(20),
      bids: [{ price: '0.4', size: '10' }],
      asks: [{ price: '0.6', size: '10' }],
    });
    const unreadable = { ...book('9'), bids: [{ price: '2', size: '1' }] };
    for (const bad of [[unreadable], [{ ...book('9'), asset_id: 'x' }, null, 'text', {}, unreadable]]) {
      const read = readClobBooks(JSON.stringify([book('7'), ...bad, book('8')]), NONE);
      expect(read?.answers.map(([token]) => token)).to.deep.equal(['7', '8'] as TokenId[]);
      expect(read?.badCount).to.equal(bad.length);
    }
    expect(readClobBooks('{"error":"no"}', NONE)).to.equal(null);
    expect(() => readClobBooks('<html>', NONE)).to.throw(SyntaxError);
  });
});
