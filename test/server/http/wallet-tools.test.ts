import { expect } from 'chai';
import { LeaderboardSchema, RedListSchema } from '#api/wallets/wallet-lists';
import { NoCoverageSchema, QueuedSchema, WalletProfileSchema } from '#api/wallets/wallet-profile';
import { Problem } from '#domain/errors';
import type { WalletAnswer } from '#services/wallets/contract';
import { AS_OF_S, storedRating } from '#test/support/sample-ratings';
import { type Door, OWNER, openDoor } from './support/door.js';

const MIXED = `0x${'aB'.repeat(20)}`;
const LOWER = MIXED.toLowerCase();
const nextRefreshS = Math.floor(Date.parse('2100-01-01T04:30:00Z') / 1e3);

describe('the wallet tools', () => {
  let door: Door;
  let answer: WalletAnswer | Problem | null = null;
  const requested: string[] = [];

  before(async () => {
    const ask = async (wallet: string): Promise<WalletAnswer> => {
      requested.push(wallet);
      if (answer instanceof Problem) throw answer;
      return answer ?? { kind: 'rated', stored: storedRating({ wallet }), nextRefreshS };
    };
    door = await openDoor({ tools: { wallets: { ask } } });
  });
  after(() => door.stop());
  beforeEach(() => {
    answer = null;
    requested.length = 0;
  });

  const get = (path: string, init?: RequestInit) =>
    fetch(door.url + path, { ...init, headers: { Authorization: `Bearer ${door.token}`, ...init?.headers } });
  const balance = async () => (await door.credits.balanceOf(OWNER)).balance;
  const copy = (query: string, init?: RequestInit) => get(`/api/preflight_copy?${query}`, init);

  it('sell a profile for 5 credits, and let its caller keep it until the next refresh', async () => {
    const before = await balance();
    const response = await copy(`wallet=${LOWER}`);
    expect(response.status).to.equal(200);
    const body = WalletProfileSchema.parse(await response.json());
    expect(body.paid).to.deep.equal({ credits_used: 5, credits_remaining: before - 5 });
    expect(response.headers.get('cache-control')).to.match(/^private, max-age=\d+$/);
    expect(await balance()).to.equal(before - 5);
  });

  it('take every spelling of an address, and the alias, for one wallet', async () => {
    for (const query of [`wallet=${MIXED}`, `user=${LOWER}`, `wallet=${MIXED}&user=${LOWER}`]) {
      expect((await copy(query)).status, query).to.equal(200);
    }
    expect(requested).to.deep.equal([LOWER, LOWER, LOWER]);
  });

  const malformed = ['', 'wallet=', 'wallet=bob', `wallet=${LOWER}0`, `wallet=${LOWER}&user=0x${'cd'.repeat(20)}`];
  const unknown = [`wallet=${LOWER}&days=30`, `wallet=${LOWER}&wallet=${LOWER}`];
  for (const query of [...malformed, ...unknown]) {
    it(`refuse ?${query} and charge nothing`, async () => {
      const before = await balance();
      const response = await copy(query);
      expect(response.status).to.equal(400);
      expect(await response.json())
        .to.have.property('error')
        .that.is.a('string');
      expect([await balance(), requested]).to.deep.equal([before, []]);
    });
  }

  it('answer 202 for a queued wallet, with the time to wait, and debit nothing, also with an Idempotency-Key', async () => {
    answer = { kind: 'queued', retryAfterS: 37, position: 3 };
    const before = await balance();
    const headers = { 'Idempotency-Key': 'poll' };
    for (const init of [{}, { headers }, { headers }]) {
      const response = await copy(`wallet=${LOWER}`, init);
      expect(response.status).to.equal(202);
      expect(response.headers.get('retry-after')).to.equal('37');
      expect(response.headers.get('cache-control')).to.equal('private, no-store');
      expect(QueuedSchema.parse(await response.json()).retry_after_seconds).to.equal(37);
    }
    expect(await balance()).to.equal(before);
    answer = null;
    const rated = await copy(`wallet=${LOWER}`, { headers });
    expect(rated.status).to.equal(200);
    expect(await balance()).to.equal(before - 5);
  });

  it('answer a wallet without coverage for free', async () => {
    answer = { kind: 'no_coverage', stored: null, nextRefreshS };
    const before = await balance();
    const response = await copy(`wallet=${LOWER}`);
    expect(response.status).to.equal(200);
    expect(NoCoverageSchema.parse(await response.json()).verdict).to.equal('NO_COVERAGE');
    expect(await balance()).to.equal(before);
  });

  it('say 429 and when to come back where the queue is full', async () => {
    answer = new Problem('rate_limited', 'too many wallets are waiting', { retryAfterS: 9 });
    const response = await copy(`wallet=${LOWER}`);
    expect([response.status, response.headers.get('retry-after')]).to.deep.equal([429, '9']);
  });

  it('sell both lists for a credit each, an empty one too', async () => {
    const before = await balance();
    LeaderboardSchema.parse(await (await get('/api/leaderboard')).json());
    const red = RedListSchema.parse(await (await get('/api/red_list')).json());
    expect(red.wallets).to.deep.equal([]);
    expect(red.note).to.be.a('string');
    expect(await balance()).to.equal(before - 2);
  });

  it('have no lists before the first run, say when to ask again, and charge nothing', async () => {
    const noBoard = async () => ({ kind: 'no_board', nextRefreshS: AS_OF_S }) as const;
    const young = await openDoor({ tools: { lists: { leaderboard: noBoard, redList: noBoard } } });
    try {
      for (const path of ['/api/leaderboard', '/api/red_list']) {
        const response = await fetch(young.url + path, { headers: { Authorization: `Bearer ${young.token}` } });
        expect([response.status, response.headers.get('retry-after')]).to.deep.equal([500, '60']);
        expect(await response.json()).to.include({ code: 'ratings_unavailable' });
      }
      expect((await young.credits.balanceOf(OWNER)).balance).to.equal(500);
    } finally {
      await young.stop();
    }
  });

  for (const path of ['/api/preflight_copy', '/api/leaderboard', '/api/red_list']) {
    it(`give the example and the terms of ${path} for free, and take GET alone`, async () => {
      const example = await fetch(`${door.url}${path}?sandbox=1`);
      expect(example.status).to.equal(200);
      expect(await example.json()).to.include({ ok: true, sandbox: true });
      const terms = await fetch(`${door.url}${path}?x402_probe=1`);
      expect(terms.status).to.equal(402);
      expect(terms.headers.get('payment-required')).to.be.a('string');
      expect((await fetch(door.url + path)).status).to.equal(402);
      const post = await get(path, { method: 'POST' });
      expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      expect((await get(path, { method: 'HEAD' })).status).to.equal(402);
    });
  }
});
