import { expect } from 'chai';
import { deferred } from '#test/support/promises';
import { CONSTANT_ANSWER, type Door, OWNER, openDoor, WALLET } from './support/door.js';
import { exchange } from './support/raw-exchange.js';

describe('Idempotency-Key', () => {
  let door: Door;
  let held = deferred();
  beforeEach(async () => {
    held.resolve();
    let serial = 0;
    door = await openDoor({
      handler: async () => {
        const mine = ++serial;
        await held.promise;
        return { ...CONSTANT_ANSWER, reasons: [`run ${mine}`] };
      },
    });
  });
  afterEach(() => door.stop());

  const hold = () => {
    held = deferred();
  };
  const balance = async () => (await door.credits.balanceOf(OWNER)).balance;
  const text = async (response: Response) => `${response.status} ${await response.text()}`;
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 2));
  };

  it('charges a repeat nothing and answers it with the same bytes', async () => {
    const first = await text(await door.order('slug=a&usd=100', { 'Idempotency-Key': 'k 1' }));
    expect(await text(await door.order('slug=a&usd=100', { 'Idempotency-Key': 'k 1' }))).to.equal(first);
    // The same request in other spellings: the default left out, another decimal form, another
    // order, another method.
    expect(await text(await door.order('slug=a', { 'Idempotency-Key': 'k 1' }))).to.equal(first);
    expect(await text(await door.order('usd=1.0e2&slug=a', { 'Idempotency-Key': 'k 1' }))).to.equal(first);
    const post = await fetch(`${door.url}/api/preflight_trade`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${door.token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k 1',
      },
      body: '{"usd":100,"slug":"a"}',
    });
    expect(await text(post)).to.equal(first);
    expect(first).to.include('"paid":{"credits_used":1,"credits_remaining":499}');
    expect(await balance()).to.equal(499);
    expect(door.orders).to.have.length(1);
  });

  it('counts behind two thousand other headers too', async () => {
    const send = (port: number) =>
      exchange(
        port,
        `GET /api/preflight_trade?slug=a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${door.token}\r\n${'a:b\r\n'.repeat(2_100)}Idempotency-Key: k\r\n\r\n`,
      );
    const answers = [await send(door.port), await send(door.port)];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(await balance()).to.equal(499);
  });

  it('charges every request without a key', async () => {
    await door.order('slug=a');
    await door.order('slug=a');
    expect(await balance()).to.equal(498);
  });

  it('joins a copy to the request that is running', async () => {
    hold();
    const copies = Array.from({ length: 20 }, () => door.order('slug=a', { 'Idempotency-Key': 'k' }).then(text));
    await until(() => door.orders.length > 0);
    held.resolve();
    expect(new Set(await Promise.all(copies)).size).to.equal(1);
    expect(door.orders).to.have.length(1);
    expect(await balance()).to.equal(499);
  });

  it('refuses the key for another request, after the first and while it is running', async () => {
    hold();
    const running = door.order('slug=a', { 'Idempotency-Key': 'k' });
    await until(() => door.orders.length > 0);
    const during = await door.order('slug=a&usd=7', { 'Idempotency-Key': 'k' });
    held.resolve();
    await running;
    const afterwards = await door.order('slug=a&side=SELL', { 'Idempotency-Key': 'k' });
    for (const response of [during, afterwards]) {
      expect(response.status).to.equal(400);
      expect(await response.json()).to.include({ code: 'idempotency_conflict' });
    }
    expect(await balance()).to.equal(499);
  });

  it('keeps the keys of wallets apart', async () => {
    const other = `0x${'cd'.repeat(20)}` as typeof WALLET;
    const { token } = await door.credits.grant(other, 5, 30, 'test');
    await door.order('slug=a', { 'Idempotency-Key': 'k' });
    const response = await door.order('slug=b', { 'Idempotency-Key': 'k', Authorization: `Bearer ${token}` });
    expect(response.status).to.equal(200);
  });

  it('refuses a key that is empty, too long or not printable ASCII', async () => {
    for (const key of ['', 'a'.repeat(256), 'clé']) {
      const response = await door.order('slug=a', { 'Idempotency-Key': key });
      expect(response.status, key).to.equal(400);
      expect(await response.json()).to.include({ code: 'invalid_parameter' });
    }
    expect((await door.order('slug=a', { 'Idempotency-Key': 'a'.repeat(255) })).status).to.equal(200);
  });

  it('answers a repeat although the credits are exhausted by then', async () => {
    const first = await text(await door.order('slug=a', { 'Idempotency-Key': 'k' }));
    await door.credits.revokeCredits(WALLET, 'all', 'test');
    expect(await text(await door.order('slug=a', { 'Idempotency-Key': 'k' }))).to.equal(first);
    expect((await door.order('slug=a', { 'Idempotency-Key': 'new' })).status).to.equal(402);
  });

  it('gives no answer where the credits ran out while the tool was at work', async () => {
    hold();
    const running = door.order('slug=a');
    await until(() => door.orders.length > 0);
    await door.credits.revokeCredits(WALLET, 'all', 'test');
    held.resolve();
    const response = await running;
    expect(response.status).to.equal(402);
    expect(await response.json())
      .to.include({ code: 'insufficient_credits', balance: 0 })
      .and.not.have.property('reasons');
  });
});
