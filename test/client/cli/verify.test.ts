import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { jwks as jwksFile } from '#discovery/jwks';
import { CONFIG } from '#test/support/discovery';
import { type EvidenceFixture, ISSUER, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';
import { tempFolder } from '#test/support/temp-folder';
import { runInProcess } from './support/test-world.js';

// biome-ignore lint/suspicious/noExplicitAny: tests take answers apart.
type Json = any;

describe('preflight verify', () => {
  const realFetch = globalThis.fetch;
  let home: EvidenceFixture;
  let dir: string;
  let body: Json;
  beforeEach(async () => {
    globalThis.fetch = () => Promise.reject(new Error('somebody was asked'));
    home = newEvidenceFixture();
    dir = tempFolder('verify');
    const hashed = arbitraryDatedQuestion.filter(
      ({ hashed, listed, book }) => hashed && listed && book.bids.length > 1,
    );
    body = JSON.parse(await answerWithEvidence(fc.sample(hashed, { seed: 7, numRuns: 1 })[0]!, home));
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
    home.remove();
  });

  const save = (name: string, value: unknown): string => {
    const path = join(dir, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return path;
  };
  const keys = () => save('jwks.json', jwksFile({ ...CONFIG, evidenceKeys: home.keys }).body);
  const run = (args: readonly string[], input = '') =>
    runInProcess(['verify', ...args], { env: { PREFLIGHT_HOME: join(dir, 'home') }, input });
  const failing = (stdout: string) => [...stdout.matchAll(/^FAILS {2}(\S+)/gm)].map(([, name]) => name);

  it('says of each part what it is, offline, and ends with 0 only if all of it holds', async () => {
    const { exitCode, stdout } = await run([save('a.json', body), '--keys', keys()]);
    expect([exitCode, failing(stdout)]).to.deep.equal([0, []]);
    const names = [...stdout.matchAll(/^(?:holds|none ) {2}(\S+)/gm)].map(([, name]) => name);
    expect(names).to.deep.equal([
      ...['keys', 'signature', 'issuer', 'engine', 'verdict', 'reasons', 'best_price', 'expected_vwap'],
      ...['expected_slippage_cents', 'visible_depth_usd', 'order_vs_depth_pct', 'taker_fee_usd'],
      ...['fee_drag_cents_per_share', 'fee_category', 'safe_size_usd', 'book_age_seconds', 'numbers', 'answer'],
      ...['payload', 'venue_hash', 'response_hash'],
    ]);
    expect(stdout)
      .to.match(/holds {2}venue_hash/)
      .and.match(/\nVerified\.\n$/);
  });

  it('reads an answer from standard input, and tells programs the same', async () => {
    const { exitCode, stdout } = await run(['-', '--json', '--keys', keys()], JSON.stringify(body));
    const received = JSON.parse(stdout);
    expect([exitCode, received.holds, received.checks.length]).to.deep.equal([0, true, 21]);
  });

  it('names what was changed', async () => {
    const changed = { ...body, numbers: { ...body.numbers, safe_size_usd: 1e6 } };
    const { exitCode, stdout } = await run([save('a.json', changed), '--keys', keys()]);
    expect([exitCode, failing(stdout)]).to.deep.equal([1, ['safe_size_usd', 'numbers']]);
    const forged = structuredClone(body);
    forged.evidence.payload.book.bids.pop();
    expect(failing((await run([save('a.json', forged), '--keys', keys()])).stdout)).to.include('signature');
  });

  it('says that a key was revoked, and that the answer is of another service than the one that is named', async () => {
    const path = save('a.json', body);
    const other = await run([path, '--keys', keys(), '--url', 'https://elsewhere.example']);
    expect([other.exitCode, failing(other.stdout)]).to.deep.equal([1, ['issuer']]);
    expect((await run([path, '--keys', keys(), '--url', `${ISSUER}/`])).exitCode).to.equal(0);
    home.keys.rotate();
    home.keys.revoke(JSON.parse(Buffer.from(body.evidence.jws.split('.')[0], 'base64url').toString()).kid);
    const revoked = await run([path, '--keys', keys()]);
    expect([revoked.exitCode, failing(revoked.stdout)]).to.deep.equal([1, ['issuer']]);
    expect(revoked.stdout.replaceAll(/\s+/g, ' ')).to.match(/is revoked since 20.*anyone may have made this/);
  });

  it('asks nobody for keys on the word of an answer, and says how to get them', async () => {
    const { exitCode, stdout } = await run([save('a.json', body)]);
    expect([exitCode, failing(stdout)]).to.deep.equal([1, ['keys', 'signature', 'issuer']]);
    expect(stdout).to.match(/^FAILS {2}keys .*--keys FILE, or\s+--fetch-keys/ms);
    for (const issuer of ['\ud800', 'http://\u202e/', '../../etc', '', 7, 'https://a/\ud800'.repeat(99)]) {
      const strange = structuredClone(body);
      strange.evidence.payload.issuer = issuer;
      expect((await run([save('a.json', strange)])).exitCode, String(issuer)).to.equal(1);
    }
    expect((await run([save('a.json', body), '--fetch-keys'])).exitCode, 'of whom?').to.equal(2);
  });

  it('ends with 1 on an answer without evidence, and with 2 on what is no JSON', async () => {
    expect((await run([save('a.json', { ...body, evidence: undefined }), '--keys', keys()])).exitCode).to.equal(1);
    for (const text of ['', 'OK', '[]', 'null']) {
      const { exitCode, stderr } = await run([save('a.json', text), '--keys', keys()]);
      expect([exitCode, stderr.includes('is not a JSON object')]).to.deep.equal([2, true]);
    }
  });

  it('reads a file as editors and shells of Windows save it: with a byte order mark, in UTF-16', async () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const path = save('a.json', body);
      writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}\r\n`, encoding);
      const { exitCode, stderr } = await run([path, '--keys', keys()]);
      expect([exitCode, stderr], encoding).to.deep.equal([0, '']);
    }
  });

  it('ends with 2 on a text that has a name twice, since readers differ in which they take', async () => {
    const text = JSON.stringify(body).replace('{', `{"verdict":${JSON.stringify(body.verdict)},`);
    const { exitCode, stderr } = await run([save('a.json', text), '--keys', keys()]);
    expect([exitCode, stderr.includes('has the name verdict twice')]).to.deep.equal([2, true]);
  });

  it('says whose word it is that the venue had this book, and how to see more', async () => {
    const { stdout } = await run([save('a.json', body), '--keys', keys()]);
    expect(stdout).to.match(/holds {2}venue_hash .*proves no venue/);
    expect(stdout).to.match(/had this book is the service's word: --book FILE/);
  });

  describe('--book', () => {
    it('takes no longer for a recording of a hundred thousand prices', async () => {
      const bids = Array.from({ length: 100_000 }, (_, n) => ({ price: String(n + 1), size: '1' }));
      expect(await compared({ ...recordedBook(), bids })).to.deep.equal(['book_bids']);
    });

    const recordedBook = (): Json => {
      const { book, market } = body.evidence.payload;
      const levels = (side: Json) => side.map(([price, size]: [string, string]) => ({ price: `${price}`, size }));
      return {
        asset_id: market.token_id,
        timestamp: String(book.timestamp_ms),
        hash: book.venue_hash,
        bids: levels(book.bids),
        asks: levels(book.asks),
      };
    };
    const compared = async (book: Json) => {
      const { stdout } = await run([save('a.json', body), '--keys', keys(), '--book', save('book.json', book)]);
      return failing(stdout);
    };

    it('agrees with the same book, in whatever order and spelling it was recorded', async () => {
      const book = recordedBook();
      const spelled = ({ price, size }: Json) => ({
        price: `0${price}`,
        size: size.includes('.') ? `${size}0` : `${size}.0`,
      });
      expect(await compared(book)).to.deep.equal([]);
      expect(await compared({ ...book, bids: book.bids.toReversed().map(spelled) })).to.deep.equal([]);
      expect(await compared({ ...book, hash: undefined })).to.deep.equal([]);
    });

    it('names each part that differs', async () => {
      const book = recordedBook();
      expect(await compared({ ...book, asset_id: '1' })).to.deep.equal(['book_token']);
      expect(await compared({ ...book, timestamp: '1' })).to.deep.equal(['book_time']);
      expect(await compared({ ...book, hash: '0'.repeat(40) })).to.deep.equal(['book_hash']);
      expect(await compared({ ...book, bids: book.bids.slice(1) })).to.deep.equal(['book_bids']);
      const [first, ...rest] = book.bids;
      expect(await compared({ ...book, bids: [{ ...first, size: '123456.5' }, ...rest] })).to.deep.equal(['book_bids']);
      for (const asks of [undefined, 'none', [{}], [{ price: '2x', size: '1' }]]) {
        expect(await compared({ ...book, asks })).to.deep.equal(['book_asks']);
      }
    });
  });
});
