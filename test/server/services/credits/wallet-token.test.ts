import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { TOKEN_REQUEST_AGE_MAX_MS, TOKEN_REQUEST_AHEAD_MAX_MS, tokenRequestText } from '#domain/credits/token-request';
import type { WalletAddress } from '#domain/ids';
import { bearerOf, buyPack, type CreditsBench, makeCredits, START_MS } from '../support/credits-home.js';

const DOMAIN = 'preflight.example:8402';

describe('a wallet that has lost its token', () => {
  let bench: CreditsBench;
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase() as WalletAddress;
  let nonces = 0;

  beforeEach(async () => {
    bench = await makeCredits();
    await buyPack(bench, wallet);
  });
  afterEach(() => bench.remove());

  async function ask(changes: Partial<Parameters<typeof tokenRequestText>[0]> = {}, signer = account) {
    const issuedAt = new Date(bench.clock.nowMs()).toISOString();
    const request = { domain: DOMAIN, wallet, nonce: `nonce-number-${++nonces}-of-the-test`, issuedAt, ...changes };
    const signature = await signer.signMessage({ message: tokenRequestText(request) });
    return { request: { ...request, signature }, result: await bench.credits.issueToWallet({ ...request, signature }) };
  }

  async function issued(): Promise<string> {
    const { result } = await ask();
    if (result.kind !== 'issued') throw new Error(`it was ${result.kind}`);
    return result.token;
  }

  it('gets a fresh one for all its credits when its key signs for it', async () => {
    const { result } = await ask();
    const expiresAtMs = START_MS + 365 * 86_400_000;
    expect(result).to.deep.include({ kind: 'issued', wallet, balance: 500, expiresAtMs });
    if (result.kind === 'issued') {
      expect(await bench.credits.authenticate(result.token)).to.deep.equal(bearerOf(wallet));
    }
  });

  it('ends every older one with five new ones, as purchases do', async () => {
    const first = await issued();
    for (let n = 0; n < 4; n++) await issued();
    expect(await bench.credits.authenticate(first)).to.not.equal(null);
    await issued();
    expect(await bench.credits.authenticate(first)).to.equal(null);
  });

  it('can use each message once, also when its copies come at once and after another start', async () => {
    const { request } = await ask();
    expect(await bench.credits.issueToWallet(request)).to.deep.equal({ kind: 'used' });
    const fresh = await ask({ nonce: 'a-nonce-for-many-copies' });
    const copies = await Promise.all(Array.from({ length: 10 }, () => bench.credits.issueToWallet(fresh.request)));
    expect(new Set(copies.map(({ kind }) => kind))).to.deep.equal(new Set(['used']));
  });

  it('cannot use a message again once its nonce was swept: it is too old by then', async () => {
    const { request } = await ask();
    bench.clock.add(TOKEN_REQUEST_AGE_MAX_MS);
    await bench.store.sweepAnswers(bench.clock.nowMs(), 100);
    expect(await bench.credits.issueToWallet(request)).to.deep.equal({ kind: 'used' });
    bench.clock.add(1);
    expect((await bench.store.sweepAnswers(bench.clock.nowMs(), 100)).removed).to.equal(1);
    expect(await bench.credits.issueToWallet(request)).to.deep.equal({ kind: 'not_now' });
  });

  it('has to sign now, for this service, this wallet and this nonce, with its own key', async () => {
    const at = (ms: number) => new Date(START_MS + ms).toISOString();
    expect((await ask({ issuedAt: at(-TOKEN_REQUEST_AGE_MAX_MS - 1) })).result.kind).to.equal('not_now');
    expect((await ask({ issuedAt: at(TOKEN_REQUEST_AHEAD_MAX_MS + 1) })).result.kind).to.equal('not_now');
    const stranger = privateKeyToAccount(generatePrivateKey());
    expect((await ask({}, stranger)).result.kind).to.equal('not_signed');
    const { request } = await ask({ domain: 'another.example' });
    expect((await bench.credits.issueToWallet({ ...request, domain: DOMAIN })).kind).to.equal('not_signed');
    const good = (await ask()).request;
    expect((await bench.credits.issueToWallet({ ...good, nonce: 'another-nonce-than-signed' })).kind).to.equal(
      'not_signed',
    );
    expect((await bench.credits.issueToWallet({ ...good, signature: '0x00' })).kind).to.equal('not_signed');
  });

  it('is understood also when its v counts from zero', async () => {
    const { request } = await ask({ nonce: 'first-try-with-another-key' }, privateKeyToAccount(generatePrivateKey()));
    const message = { ...request, nonce: 'v-counts-from-zero-here' };
    const signature = await account.signMessage({ message: tokenRequestText(message) });
    const fromZero = signature.replace(/1([bc])$/, (_, v: string) => (v === 'b' ? '00' : '01'));
    expect((await bench.credits.issueToWallet({ ...message, signature: fromZero })).kind).to.equal('issued');
  });

  it('gets none where there are no credits: strangers cannot fill the store', async () => {
    const poor = privateKeyToAccount(generatePrivateKey());
    const { result, request } = await ask({ wallet: poor.address.toLowerCase() as WalletAddress }, poor);
    expect(result).to.deep.equal({ kind: 'no_credits' });
    expect(await bench.store.answer({ wallet: request.wallet, code: 'token-request', key: request.nonce })).to.equal(
      null,
    );
  });
});
