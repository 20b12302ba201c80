import { expect } from 'chai';
import { parseJwks, verifyAnswer } from '#client/engine';
import { fromEip1193, NotPaid, Preflight } from '#client/index';
import { needAnvil } from '#test/local/support/chain-harness';
import { MCP_CLIENTS } from '#test/server/mcp/support/mcp-clients';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { type Account, newAccount } from '#test/support/signed-payments';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { hurried } from './support/hurried.js';

const WALLET_MICROS = 8_000_000n;
describe('the SDK against the service', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let money: LocalMoney;
  let account: Account;
  let order: { slug: string; outcome: string; usd: number };

  before(async function () {
    needAnvil(this);
    local = await startLocalProcess();
    money = moneyOf(local);
    account = await money.newWallet(WALLET_MICROS);
    order = { slug: local.facts.exampleSlug, outcome: local.facts.exampleOutcome, usd: 25 };
  });
  after(() => local?.end('SIGKILL'));

  const client = (more: Partial<ConstructorParameters<typeof Preflight>[0]> = {}) =>
    new Preflight({ baseUrl: local.facts.url, ...more });
  const spent = async () => WALLET_MICROS - (await money.balanceOf(account.address));

  it('answers free examples as long as nobody pays, and says so', async () => {
    const answers = [
      await client().verdict(order),
      await client().copy(local.facts.exampleWallets.skilled),
      await client().leaderboard(),
      await client().redList(),
    ];
    for (const { lane, stale, body } of answers) {
      expect([lane, stale]).to.deep.equal(['sandbox', true]);
      expect(body).to.include({ sandbox: true });
    }
    expect((await client().credits.terms()).pack.usd).to.equal(5);
    expect((await client().status()).api_version).to.be.a('string');
    expect(
      await client()
        .credits.balance()
        .catch((error) => error),
    ).to.be.an.instanceOf(NotPaid);
  });

  it('shows what a call would cost, and that the rules would let it pass', async () => {
    const { demands, fault } = await client().probe('preflight_copy');
    expect([demands[0]!.amount, fault]).to.deep.equal(['100000', null]);
  });

  it('pays one call with an account, and its budget remembers it', async () => {
    const before = await spent();
    const preflight = client({ account });
    const { lane, stale, body } = await preflight.verdict(order);
    expect([lane, stale, body.paid]).to.deep.include('x402').and.deep.include(false);
    expect((await spent()) - before).to.equal(20_000n);
    expect(await preflight.spending()).to.deep.include({ cents: 2, packs: 0, open: [] });
  });

  it('pays by MCP as it pays by REST, and repeats a payment there too', async () => {
    const before = await spent();
    const { lane, body } = await client({ account, door: 'mcp' }).verdict(order);
    expect([lane, body.verdict]).to.include('x402');
    expect((await spent()) - before).to.equal(20_000n);
    expect((await client({ door: 'mcp' }).verdict(order)).body).to.include({ sandbox: true });
    const unknown = await client({ account, door: 'mcp' })
      .verdict({ slug: 'nowhere' })
      .catch((error) => error);
    // A payment was sent along, and that it was not charged is the service's word.
    expect(unknown).to.include({ name: 'Problem', code: 'unknown_market', charged: 'unknown' });
  });

  it('is paid by a wallet that speaks EIP-1193', async () => {
    const provider = {
      request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
        if (method === 'eth_requestAccounts') return [account.address];
        const { EIP712Domain: _, ...types } = JSON.parse(params![1] as string).types;
        return account.signTypedData({ ...JSON.parse(params![1] as string), types });
      },
    };
    const { body } = await client({ account: await fromEip1193(provider) }).verdict(order);
    expect(body.paid).to.have.property('price_paid_usdc', '0.02');
  });

  it('buys a pack by name, and spends its credits from then on', async () => {
    const { body } = await client({ account }).credits.buy();
    expect(body.credits_added).to.equal(500);
    const preflight = client({ account, token: body.token });
    expect((await preflight.verdict(order)).body.paid).to.deep.equal({ credits_used: 1, credits_remaining: 499 });
    expect((await preflight.credits.balance()).balance).to.equal(499);
  });

  it('gets a new token for the credits of a code whose answer was lost, by the key of the wallet', async () => {
    const owner = newAccount();
    const losing = async (url: string, init: RequestInit) => {
      await (await fetch(url, init)).text();
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    };
    const redeem = (more = {}) => client(more).redeem(local.facts.promoCode, owner.address);
    const lost = await redeem({ fetch: losing }).catch((error) => error);
    const again = await redeem().catch((error) => error);
    expect([lost.code, again.code]).to.deep.equal(['unreachable', 'promo_already_redeemed']);
    for (const { next } of [lost, again]) expect(next).to.include('POST /api/credits/token');
    const { token, wallet, balance } = await client({ account: owner }).newToken();
    expect([wallet, balance > 0]).to.deep.equal([owner.address.toLowerCase(), true]);
    const { body } = await client({ token }).verdict(order);
    expect(body.paid).to.deep.equal({ credits_used: 1, credits_remaining: balance - 1 });
    const penniless = await client({ account: newAccount() })
      .newToken()
      .catch((error) => error);
    expect(penniless).to.include({ name: 'Problem', code: 'invalid_parameter', charged: 'nothing' });
  });

  it('polls a queued wallet until it is rated, for one charge', async () => {
    const token = await redeemLocal(local.facts, `0x${'6a'.repeat(20)}`);
    const preflight = client({ token, system: hurried(10) });
    const { body } = await preflight.copy(local.facts.exampleWallets.unseen, {
      wait: true,
      deadlineMs: PROCESS_TEST_MS,
    });
    expect(body.verdict).to.be.oneOf(['COPY', 'WATCH', 'VETO']);
    expect(body).to.have.nested.property('paid.credits_used', 5);
    const again = await preflight.copy(local.facts.exampleWallets.unseen);
    expect(again).to.deep.include({ cached: true, body });
    expect((await preflight.spending()).open).to.deep.equal([]);
  });

  it('proves a verdict by its evidence, whichever door it came through, and a repeat has the same bytes', async () => {
    const jwks = parseJwks(await (await fetch(`${local.facts.url}/.well-known/jwks.json`)).text())!;
    const { body, text } = await client({ account }).verdict({ ...order, evidence: 1 });
    const options = { jwks, issuer: local.facts.url };
    const { holds, checks } = await verifyAnswer(JSON.parse(text), options);
    expect(holds, JSON.stringify(checks)).to.equal(true);
    expect(await client().verify(JSON.parse(text))).to.deep.equal({ holds, checks });
    expect(Object.keys(body).slice(-2)).to.deep.equal(['evidence', 'paid']);

    const token = await redeemLocal(local.facts, `0x${'6b'.repeat(20)}`);
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'evidence-1' };
    const query = new URLSearchParams({ slug: order.slug, outcome: order.outcome, evidence: '1' });
    const ask = async () => (await fetch(`${local.facts.url}/api/preflight_trade?${query}`, { headers })).text();
    const [first, second] = [await ask(), await ask()];
    expect(second).to.equal(first);
    expect((await verifyAnswer(JSON.parse(first), options)).holds).to.equal(true);

    for (const { connect } of MCP_CLIENTS) {
      const mcp = await connect(local.facts.url, { authorization: `Bearer ${token}` });
      const answer = await mcp.call({ name: 'preflight_trade', arguments: { ...order, evidence: 1 } });
      expect((await verifyAnswer(answer.structuredContent, options)).holds).to.equal(true);
      await mcp.close();
    }
    const refused = await fetch(`${local.facts.url}/api/preflight_trade?slug=a&evidence=2`, { headers });
    expect([refused.status, await refused.json()]).to.deep.equal([
      400,
      {
        error: 'evidence must be true or 1, or left out',
        code: 'invalid_parameter',
        doc: '/llms.txt#invalid_parameter',
      },
    ]);
  });

  it('names its signing key where agents look', async () => {
    const get = async (path: string) => (await fetch(local.facts.url + path)).text();
    const { kid } = parseJwks(await get('/.well-known/jwks.json'))!.keys[0]!;
    for (const path of ['/llms.txt', '/agent.json', '/.well-known/mcp/server-card.json']) {
      expect(await get(path), path).to.include(kid);
    }
  });
});
