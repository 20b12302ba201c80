import { expect } from 'chai';
import { BOOK_BUDGET, createHttpJson } from '#adapters/http-client/json';
import { type ClobBooks, createClobBooks } from '#adapters/polymarket/clob';
import { OutsideError } from '#domain/errors';
import type { TokenId } from '#domain/ids';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { tokenId } from '#test/support/sample-markets';

const book = (token: string) => ({
  market: '0xab',
  asset_id: token,
  timestamp: '1785130185252',
  hash: 'h',
  bids: [{ price: '0.4', size: '10' }],
  asks: [],
  min_order_size: '5',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: '',
});

const requested = (body: string) => (JSON.parse(body) as { token_id: string }[]).map((one) => one.token_id);
const numbered = (count: number): TokenId[] => Array.from({ length: count }, (_, index) => tokenId(`${index + 1}`));

describe('CLOB books by REST', () => {
  let server: LoopbackServer;
  let books: ClobBooks;

  beforeEach(async () => {
    server = await startLoopbackServer();
    const clob = createHttpJson({
      upstream: 'clob',
      baseUrl: server.baseUrl,
      budget: BOOK_BUDGET,
      clock: new ManualClock(),
      limits: { backoffFirstMs: 1, backoffMaxMs: 2 },
    });
    books = createClobBooks({ clob });
  });
  afterEach(() => server.close());

  it('fetches one book', async () => {
    server.answer((_, response) => sendJson(response, book('7')));
    const snapshot = await books.fetchBook(tokenId('7'), 'caller');
    expect(snapshot).to.include({ tokenId: '7', hash: 'h', lastTradePrice: '' });
    expect(server.seen[0]?.url).to.equal('/book?token_id=7');
    expect(books.health().ok).to.equal(true);
  });

  it('takes 404 and "Invalid token id" as "no book", and no other refusal', async () => {
    server.answer((_, response) =>
      sendJson(response, { error: 'No orderbook exists for the requested token id' }, 404),
    );
    expect(await books.fetchBook(tokenId('7'), 'caller')).to.equal(null);
    server.answer((_, response) => sendJson(response, { error: 'Invalid token id' }, 400));
    expect(await books.fetchBook(tokenId('7'), 'caller')).to.equal(null);
    server.answer((_, response) => sendJson(response, { error: 'go away' }, 403));
    const error = await books.fetchBook(tokenId('7'), 'caller').catch((e: unknown) => e);
    expect(error).to.be.instanceOf(OutsideError).and.include({ failure: 'final', status: 403 });
  });

  const notTheClobs: readonly (readonly [string, number, string])[] = [
    ['a page of HTML', 404, '<!DOCTYPE html><title>404 Not Found</title>'],
    ['a page that holds the words', 404, '<p>No orderbook exists for the requested token id</p>'],
    ['an error that is about something else', 404, '{"error":"not found"}'],
    ['other JSON', 404, '{"message":"no such route"}'],
    ['other JSON with the words', 400, '{"message":"Invalid token id"}'],
    ['a list', 404, '[]'],
    ['nothing', 404, ''],
    ['the words under another status', 403, '{"error":"No orderbook exists for the requested token id"}'],
  ];
  for (const [what, status, body] of notTheClobs) {
    it(`takes for no absence what is not the CLOB's own: ${what} (${status})`, async () => {
      server.answer((_, response) => response.writeHead(status).end(body));
      for (const answer of [books.fetchBook(tokenId('7'), 'caller'), books.fetchBooks([tokenId('7')])])
        expect(await answer.catch((e: unknown) => e)).to.be.instanceOf(OutsideError);
    });
  }

  it('reads numbers where texts are usual', async () => {
    server.answer((_, response) => sendJson(response, book('7')));
    const usual = await books.fetchBook(tokenId('7'), 'caller');
    server.answer((_, response) =>
      sendJson(response, {
        ...book('7'),
        asset_id: 7,
        timestamp: 1_785_130_185_252,
        bids: [{ price: 0.4, size: 10 }],
        min_order_size: 5,
        tick_size: 0.01,
        neg_risk: 'false',
      }),
    );
    expect(await books.fetchBook(tokenId('7'), 'caller')).to.deep.equal(usual);
  });

  it('does not take the book of another token, or something that is no book', async () => {
    for (const body of [book('8'), {}, [], null, { ...book('7'), bids: [{ price: '7', size: '1' }] }]) {
      server.answer((_, response) => sendJson(response, body));
      const error = await books.fetchBook(tokenId('7'), 'caller').catch((e: unknown) => e);
      expect(error, JSON.stringify(body)).to.be.instanceOf(OutsideError).and.include({ failure: 'final' });
    }
  });

  it('gives each token its own book where the venue loses some and shuffles the rest', async () => {
    server.answer((request, response) => {
      const found = requested(request.body).filter((token) => token !== '2');
      sendJson(response, [...found.reverse(), '99'].map(book));
    });
    const found = await books.fetchBooks([tokenId('1'), tokenId('2'), tokenId('3'), tokenId('1')]);
    expect([...found.keys()].sort()).to.deep.equal(['1', '3']);
    for (const [token, answer] of found) expect(answer).to.have.nested.property('snapshot.tokenId', token);
    expect(requested(server.seen[0]?.body ?? '')).to.deep.equal(['1', '2', '3']);
  });

  it('asks for many books in calls that the venue takes', async () => {
    server.answer((request, response) => sendJson(response, requested(request.body).map(book)));
    const found = await books.fetchBooks(numbered(1_234));
    expect(found.size).to.equal(1_234);
    const sizes = server.seen.map((request) => requested(request.body).length);
    expect(Math.max(...sizes)).to.be.at.most(500);
    expect(sizes.reduce((a, b) => a + b)).to.equal(1_234);
  });

  it('asks nothing where nothing is wanted', async () => {
    expect((await books.fetchBooks([])).size).to.equal(0);
    expect(server.seen).to.deep.equal([]);
  });

  it('drops the bad books of an answer, counts them and keeps the others', async () => {
    server.answer((_, response) => sendJson(response, [book('1'), { ...book('2'), timestamp: 'x' }, 7]));
    expect([...(await books.fetchBooks(numbered(2))).keys()]).to.deep.equal(['1']);
    expect(books.badBookCount()).to.equal(2);
  });

  it('reads no levels of a book that is held', async () => {
    const proof = { timestampMs: 1_785_130_185_252, hash: 'ab'.repeat(20) };
    const usual = (token: string) => ({ ...book(token), market: `0x${'0'.repeat(64)}`, hash: proof.hash });
    const unreadable = { ...usual('2'), bids: [{ price: 'none', size: '10' }] };
    server.answer((_, response) => sendJson(response, [usual('1'), unreadable, unreadable]));
    const found = await books.fetchBooks(numbered(3), (token) => token === '2');
    expect(found.get(tokenId('1'))).to.have.property('kind', 'book');
    expect(found.get(tokenId('2'))).to.deep.equal({ kind: 'as_held', proof });
    expect(books.badBookCount()).to.equal(0);
  });

  it('fails as a whole where one of its calls fails, because a missing book would mean "none"', async () => {
    server.answer((request, response) => {
      if (requested(request.body).includes('1')) sendJson(response, { error: 'Payload exceeds the limit' }, 400);
      else sendJson(response, requested(request.body).map(book));
    });
    const error = await books.fetchBooks(numbered(600)).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(OutsideError).and.include({ failure: 'final', status: 400 });
  });
});
