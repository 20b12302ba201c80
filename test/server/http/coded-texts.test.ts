import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Door, openDoor } from './support/door.js';
import { getBytes } from './support/get-bytes.js';

const MARKETS = '/demo/markets';
const HISTORY = '/status/history.json';
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes } as const;

/** What readers say that they take, and what they get. */
const TAKEN: readonly (readonly [accepts: string | null, gets: keyof typeof DECODERS])[] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['identity', 'identity'],
  ['zstd', 'identity'],
  ['', 'identity'],
  [null, 'identity'],
];

describe('lists that pages load', () => {
  /** As long as one with a few markets, and as repetitive. */
  const listOf = (note: string) => JSON.stringify({ note, markets: Array(8).fill({ question: 'Will it snow? ü' }) });
  let list = listOf('first');
  let door: Door;

  before(async () => {
    const demo = { marketsText: async () => list, find: async () => null };
    door = await openDoor({ deps: { demo, statusHistory: () => list } });
  });
  after(() => door.stop());

  const get = (path: string, coding: string | null, more: Record<string, string> = {}) =>
    getBytes(door.url + path, { ...(coding !== null && { 'accept-encoding': coding }), ...more });

  for (const path of [MARKETS, HISTORY]) {
    for (const [accepts, gets] of TAKEN) {
      it(`${path} comes in ${gets} to a reader of ${accepts === null ? 'who knows what' : `"${accepts}"`}`, async () => {
        const { status, headers, body } = await get(path, accepts);
        expect(status).to.equal(200);
        expect(headers['content-encoding'] ?? 'identity').to.equal(gets);
        expect(headers['content-length']).to.equal(String(body.length));
        expect(headers['content-type']).to.match(/^application\/json/);
        expect(headers.vary).to.equal('Accept-Encoding');
        expect(DECODERS[gets](body).toString()).to.equal(list);
      });
    }

    it(`${path} is shorter compressed, and each form has a tag of its own`, async () => {
      const [br, gzip, whole] = [await get(path, 'br'), await get(path, 'gzip'), await get(path, null)];
      expect(Math.max(br.body.length, gzip.body.length)).to.be.below(whole.body.length / 2);
      expect(new Set([br, gzip, whole].map(({ headers }) => headers.etag)).size).to.equal(3);
    });

    it(`${path} is not sent again to those who have the form that they would get`, async () => {
      const { headers } = await get(path, 'br');
      const again = await get(path, 'br', { 'if-none-match': headers.etag! });
      expect(again).to.deep.include({ status: 304, body: Buffer.alloc(0) });
      expect(again.headers).to.include({ etag: headers.etag, vary: 'Accept-Encoding' });
      expect(again.headers).to.not.have.any.keys('content-encoding', 'content-type');
      expect((await get(path, null, { 'if-none-match': headers.etag! })).status).to.equal(200);
    });

    it(`${path} says in every form what it says now`, async () => {
      const { headers } = await get(path, 'br');
      list = listOf('later');
      try {
        for (const gets of ['br', 'gzip', 'identity'] as const) {
          const { status, body } = await get(path, gets, { 'if-none-match': headers.etag! });
          expect(status).to.equal(200);
          expect(DECODERS[gets](body).toString()).to.equal(list);
        }
      } finally {
        list = listOf('first');
      }
    });
  }
});
