import { expect } from 'chai';
import { OrderBook } from '#domain/book/order-book';
import type { BookSource, CallClass } from '#ports/venue';
import { Reconfirmer } from '#services/books/reconfirmer';
import { ManualClock } from '#test/support/manual-clock';
import { sampleMarket } from '#test/support/sample-markets';

describe('the second look at a book', () => {
  it('that a caller waits for is asked for as a caller’s, also while the same one is under way in the background', async () => {
    const market = sampleMarket(1);
    const book = new OrderBook(market.outcomes[0]!.tokenId, market.conditionId);
    const asked: CallClass[] = [];
    const answers: Record<CallClass, () => void> = { caller: () => {}, background: () => {} };
    const source: BookSource = {
      fetchBook: (_, callClass) => {
        asked.push(callClass);
        return new Promise((resolve) => {
          answers[callClass] = () => resolve(null);
        });
      },
      // The bulk answer leaves the book out, which has to be asked for by itself then.
      fetchBooks: async () => new Map(),
    };
    const reconfirmer = new Reconfirmer({ source, clock: new ManualClock(), log: { warn() {} } as never });
    const background = reconfirmer.reconfirmAll([book]);
    await new Promise(setImmediate);
    expect(asked).to.deep.equal(['background']);
    const callers = [reconfirmer.reconfirm(book, 'caller'), reconfirmer.reconfirm(book, 'caller')];
    expect(asked, 'callers share theirs').to.deep.equal(['background', 'caller']);
    answers.caller();
    await Promise.all(callers);
    answers.background();
    await background;
  });
});
