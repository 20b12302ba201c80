import { expect } from 'chai';
import { Books } from '#services/books/books';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { until } from '#test/support/live-verdicts';
import { ManualClock } from '#test/support/manual-clock';
import { RecordedLog } from '#test/support/recorded-log';
import { sampleMarket } from '#test/support/sample-markets';

/** Several looks for books that need a second witness. */
const LOOKS_MS = 1_200;

describe('books that REST does not confirm', () => {
  let books: Books;

  afterEach(() => books.stop());

  it('are not asked for again with every look, only after a while', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const fail = () => {
      asked++;
      return Promise.reject(new Error('no answer'));
    };
    books = new Books({
      connect: new FakeTextSockets().connect,
      source: { fetchBook: fail, fetchBooks: fail },
      clock,
      random: { next: () => 0, bytes: (count) => new Uint8Array(count) },
      log: new RecordedLog(),
    });
    const { outcomes, conditionId } = sampleMarket(1);
    expect(books.watch(outcomes[0]!.tokenId, conditionId)).to.equal(null);
    await until('it is asked for', () => asked === 1);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
    expect(asked, 'as long as no time passes').to.equal(1);
    clock.advance(2_000);
    await until('it is asked for again', () => asked === 2);
  });
});
