import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { lmdbRatingsPath, openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import type { StatusReport } from '#api/status';
import { openCredits } from '#compose/credits';
import { tokenRequestText } from '#domain/credits/token-request';
import { parseWallet } from '#domain/ids';
import type { Board } from '#ports/ratings-store';
import type { StoredAnswer } from '#ports/store';
import { checkStore } from '#services/integrity/check';
import { walletNumber } from '#test/contract/support/wallet-number';
import { needAnvil, until } from '#test/local/support/chain-harness';
import { newDataDir, startLocalProcess } from '#test/support/local-process';
import { PaymentWorld } from '#test/support/payment-world';
import { PLAYS_ALL_DEATHS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { PAID_OPERATIONS } from './cells.js';
import { takeOverCells } from './harder.js';
import { audit, listBroken, playAll } from './runner.js';
import { Lives, preflight } from './seller.js';
import { openSite, type Site } from './site.js';

const CODE = 'DEATHS-1';
const CREDITS = 10;
/** Of the site's BASE_URL. */
const DOMAIN = 'preflight.example';
const DAY_MS = 86_400_000;
const WALLET = walletNumber(7);
const REDEEM = {
  path: '/api/redeem',
  init: {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: CODE, wallet: WALLET }),
  },
};

/** The suite plays the last of points that take long, `npm run prove -- matrix` all of them. */
const inSize = <T>(of: readonly T[]): readonly T[] => (PLAYS_ALL_DEATHS ? of : of.slice(-1));

/** What changes what is stored for callers, and is no step of a payment. */
describe('a service that dies beside its payments', function () {
  this.timeout(2 * PROCESS_TEST_MS);
  let world: PaymentWorld;
  let site: Site;
  let lives: Lives;

  before(async function () {
    needAnvil(this);
    world = await PaymentWorld.start();
  });
  after(() => world?.stop());
  beforeEach(async () => {
    site = await openSite(world, { plans: [], hasSpare: false });
    await stored(({ credits }) => credits.createPromo({ code: CODE, credits: CREDITS, walletsMax: 9, days: 30 }));
  });
  afterEach(async () => {
    await lives?.end();
    await site?.close();
  });

  const dieAt = (...points: readonly string[]) => {
    lives = new Lives(preflight, site, points);
  };

  /** Uses the store of the site beside the service. */
  async function stored<T>(use: (opened: ReturnType<typeof openCredits>) => Promise<T>): Promise<T> {
    const opened = openCredits(site.dataDir);
    try {
      return await use(opened);
    } finally {
      await opened.store.close();
    }
  }

  /** null: the connection broke. */
  async function call(path: string, init: RequestInit = {}): Promise<Response | null> {
    return fetch((await lives.url()) + path, init).catch(() => null);
  }

  async function expectSound(): Promise<void> {
    const { faults } = await stored(({ store }) => checkStore({ store, ratings: null }, () => undefined));
    expect(faults).to.deep.equal([]);
  }

  for (const [point, status, credits] of [
    ['redeem.before', 200, CREDITS],
    ['redeem.after', 409, CREDITS],
  ] as const) {
    it(`at ${point}: gives the credits of a code once`, async () => {
      dieAt(point);
      expect(await call(REDEEM.path, REDEEM.init)).to.equal(null);
      expect(await lives.diedNow()).to.equal(true);
      expect((await call(REDEEM.path, REDEEM.init))!.status).to.equal(status);
      const account = await stored(({ store }) => store.account(WALLET));
      expect(account!.lots.reduce((sum, { remaining }) => sum + remaining, 0)).to.equal(credits);
      await expectSound();
    });
  }

  for (const [point, isReplayed] of [
    ['debit.before', null],
    ['debit.after', 'true'],
  ] as const) {
    it(`at ${point}: debits a call once, and answers it when it is repeated`, async () => {
      const redeemed = await stored(({ credits }) => credits.redeem(CODE, WALLET));
      if (redeemed.kind !== 'redeemed') throw new Error(redeemed.kind);
      const headers = { authorization: `Bearer ${redeemed.token}`, 'Idempotency-Key': 'one call' };
      dieAt(point);
      const { path } = PAID_OPERATIONS[0]!.call;
      expect(await call(path, { headers })).to.equal(null);
      expect(await lives.diedNow()).to.equal(true);
      const answer = (await call(path, { headers }))!;
      expect([answer.status, answer.headers.get('Idempotent-Replayed')]).to.deep.equal([200, isReplayed]);
      expect(JSON.parse(await answer.text()).paid).to.include({ credits_remaining: CREDITS - 1 });
      const balance = await call('/api/credits', { headers });
      expect(JSON.parse(await balance!.text())).to.include({ balance: CREDITS - 1 });
      await expectSound();
    });
  }

  for (const [point, repeated] of [
    ['mint.before', 200],
    ['mint.after', 400],
  ] as const) {
    it(`at ${point}: uses a signed message for one token, and the credits stay`, async () => {
      const account = privateKeyToAccount(generatePrivateKey());
      const wallet = parseWallet(account.address)!;
      await stored(({ credits }) => credits.grant(wallet, CREDITS, 30, 'deaths'));
      const init = async (nonce: string) => {
        const issuedAt = new Date().toISOString();
        const message = tokenRequestText({ domain: DOMAIN, wallet, nonce, issuedAt });
        const signature = await account.signMessage({ message });
        const body = JSON.stringify({ wallet, nonce, issued_at: issuedAt, signature });
        return { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      };
      const tokens = () => stored(async ({ store }) => (await store.tokens(wallet))!.tokens.length);
      const before = await tokens();
      const first = await init('the-nonce-of-a-lost-answer');
      dieAt(point);
      expect(await call('/api/credits/token', first)).to.equal(null);
      expect(await lives.diedNow()).to.equal(true);
      expect((await call('/api/credits/token', first))!.status).to.equal(repeated);
      expect(await tokens()).to.equal(before + 1);
      const fresh = await call('/api/credits/token', await init('the-nonce-of-another-message'));
      const { token, balance } = JSON.parse(await fresh!.text());
      expect(balance).to.equal(CREDITS);
      const paid = await call('/api/credits', { headers: { authorization: `Bearer ${token}` } });
      expect(JSON.parse(await paid!.text())).to.include({ balance: CREDITS });
      await expectSound();
    });
  }

  for (const point of inSize(['sweep.before', 'sweep.after'] as const)) {
    it(`at ${point}: removes what has expired, and nothing else`, async () => {
      const answerOf = (key: string, expiresAtMs: number): StoredAnswer => {
        return { wallet: WALLET, code: null, key, fingerprint: key, body: '{}', expiresAtMs };
      };
      const answers = [answerOf('old', Date.now() - DAY_MS), answerOf('new', Date.now() + DAY_MS)];
      await stored(async ({ store }) => {
        for (const answer of answers) await store.transact({ answer }, () => ({ writes: { answer }, result: null }));
      });
      dieAt(point);
      await lives.url();
      expect(await lives.diedNow()).to.equal(true);
      await lives.url();
      const isThere = ({ wallet, code, key }: StoredAnswer) =>
        stored(async ({ store }) => (await store.answer({ wallet, code, key })) !== null);
      await until(async () => !(await isThere(answers[0]!)));
      expect(await isThere(answers[1]!)).to.equal(true);
      await expectSound();
    });
  }

  it('while it takes over what a dead process was at: charges once for one answer', async () => {
    const played = await playAll(inSize(takeOverCells()), { world, seller: preflight, atOnce: 4 });
    expect(listBroken(played)).to.equal('');
    expect(played.map(({ deaths }) => deaths.at(-1)?.split('.')[0])).to.deep.equal(played.map(() => 'take-over'));
    expect((await audit(world, played)).breaches).to.deep.equal([]);
  });

  for (const point of inSize(['compact.before', 'compact.after', 'publish.before', 'publish.after'] as const)) {
    it(`at ${point}: has the whole board in force after the next start, or goes on to make it`, async () => {
      const local = { dataDir: newDataDir(), env: { WALLET_JOBS: 'on' } };
      const first = await startLocalProcess({ ...local, env: { ...local.env, CRASH_AT: point } });
      expect(await first.gone).to.equal('SIGKILL');
      const { board } = await ratingsAt(local.dataDir);
      const second = await startLocalProcess(local);
      try {
        const status = async () => (await (await fetch(`${second.facts.url}/status.json`)).json()) as StatusReport;
        await until(async () => (await status()).ratings.data_through !== null);
      } finally {
        await second.end('SIGKILL');
      }
      const after = await ratingsAt(local.dataDir);
      expect(board === null).to.equal(point !== 'publish.after');
      expect(after.wallets).to.be.above(0);
      if (board !== null) expect(after.board).to.deep.equal(board);
      rmSync(local.dataDir, { recursive: true, force: true });
    });
  }
});

/** The board in force, and how many of its wallets have their ratings. */
async function ratingsAt(dataDir: string): Promise<{ readonly board: Board | null; readonly wallets: number }> {
  const ratings = openLmdbRatings({ path: lmdbRatingsPath(dataDir) });
  try {
    const board = await ratings.board();
    if (board === null) return { board, wallets: 0 };
    const { items } = await ratings.listing.runRatings(board.run, null, 10_000);
    return { board, wallets: items.length };
  } finally {
    await ratings.close();
  }
}
