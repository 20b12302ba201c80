import { expect } from 'chai';
import { Books } from '#services/books/books';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { until } from '#test/support/live-verdicts';
import { ManualClock } from '#test/support/manual-clock';
import { RecordedLog } from '#test/support/recorded-log';
import { sampleMarket } from '#test/support/sample-markets';

/** Several looks for books that need a second witness. */
const LOOKS_MS = 1_200;

describe('books that are held', () => {
  const clock = new ManualClock();
  const { outcomes, conditionId } = sampleMarket(1);
  const { tokenId } = outcomes[0]!;
  let sockets: FakeTextSockets;
  let books: Books;
  let requested = 0;

  beforeEach(() => {
    requested = 0;
    const fail = () => {
      requested++;
      return Promise.reject(new Error('no answer'));
    };
    sockets = new FakeTextSockets();
    books = new Books({
      connect: sockets.connect,
      source: { fetchBook: fail, fetchBooks: fail },
      clock,
      random: { next: () => 0, bytes: (count) => new Uint8Array(count) },
      log: new RecordedLog(),
    });
    expect(books.watch(tokenId, conditionId)).to.equal(null);
  });
  afterEach(() => books.stop());

  it('are not asked for again with every look, only after a while', async () => {
    await until('it is asked for', () => requested === 1);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
    expect(requested, 'as long as no time passes').to.equal(1);
    clock.advance(2_000);
    await until('it is asked for again', () => requested === 2);
  });

  it('are confirmed before they are too old for the next caller, who then waits for nothing', async () => {
    await until('there is a socket', () => sockets.ends.length === 1);
    sockets.act('open');
    const levels = { bids: [{ price: '0.40', size: '100' }], asks: [{ price: '0.42', size: '100' }] };
    const snapshot = { event_type: 'book', market: conditionId, asset_id: tokenId, timestamp: '1', ...levels };
    sockets.act(JSON.stringify(snapshot));
    requested = 0;
    clock.advance(3_500);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_MS));
    expect(requested, 'while it is young').to.equal(0);
    clock.advance(1_000);
    await until('it is asked for', () => requested === 1);
    expect(books.isCached(tokenId, 60_000), 'and a caller does not wait').to.equal(true);
  });
});
