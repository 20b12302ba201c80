import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseWallet } from '#domain/ids';
import { TOKEN_REQUEST_LIMIT } from '#http/limits/limits';
import { type Door, openDoor } from './support/door.js';

describe('POST /api/credits/token', () => {
  let door: Door;
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase();

  beforeEach(async () => {
    door = await openDoor();
    await door.credits.grant(parseWallet(wallet)!, 40, 30, 'test');
  });
  afterEach(() => door.stop());

  const post = (body: object) =>
    fetch(`${door.url}/api/credits/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** What a stranger makes of /auth.md alone. */
  async function documentedText(nonce: string, issuedAt: string): Promise<string> {
    const page = await (await fetch(`${door.url}/auth.md`)).text();
    const [, text = ''] = /## A lost token[\s\S]*?```\n([\s\S]*?)\n```/.exec(page) ?? [];
    return text.replace('<wallet, lower case>', wallet).replace('<nonce>', nonce).replace('<issued_at>', issuedAt);
  }

  it('gives a token that works to whoever signs the text of /auth.md, and once', async () => {
    const [nonce, issuedAt] = ['one-nonce-and-no-other', new Date().toISOString()];
    const signature = await account.signMessage({ message: await documentedText(nonce, issuedAt) });
    const request = { wallet: account.address, nonce, issued_at: issuedAt, signature };
    const answer = await post(request);
    const body = (await answer.json()) as { readonly token: string };
    expect(answer.status, JSON.stringify(body)).to.equal(200);
    expect(body).to.include({ ok: true, wallet, balance: 40 });
    const held = await fetch(`${door.url}/api/credits`, { headers: { Authorization: `Bearer ${body.token}` } });
    expect(await held.json()).to.include({ balance: 40 });
    const again = await post(request);
    expect([again.status, ((await again.json()) as { error: string }).error]).to.deep.equal([
      400,
      'this nonce was used before: sign a new message with another one',
    ]);
  });

  it('says what does not fit, and that contracts are not supported', async () => {
    const good = { wallet, nonce: 'one-nonce-and-no-other', issued_at: new Date().toISOString() };
    const signature = `0x${'00'.repeat(65)}`;
    const faults: readonly (readonly [object, RegExp])[] = [
      [{ ...good, signature }, /not by the key of this wallet .* contracts are not supported/],
      [{ ...good, signature: '0x00' }, /130 hexadecimal digits/],
      [{ ...good, nonce: 'short', signature }, /16 to 128/],
      [{ ...good, issued_at: 'now', signature }, /RFC 3339/],
      [{ ...good, issued_at: '2020-01-01T00:00:00Z', signature }, /more than 10 minutes old/],
      [good, /130 hexadecimal digits/],
    ];
    for (const [body, error] of faults) {
      const answer = await post(body);
      expect(answer.status).to.equal(400);
      expect(((await answer.json()) as { error: string }).error).to.match(error);
    }
  });

  it(`is asked at most ${TOKEN_REQUEST_LIMIT.points} times a minute by one address`, async () => {
    for (let n = 0; n < TOKEN_REQUEST_LIMIT.points; n++) expect((await post({})).status).to.equal(400);
    const answer = await post({});
    expect([answer.status, Number(answer.headers.get('Retry-After')) > 0]).to.deep.equal([429, true]);
  });
});
