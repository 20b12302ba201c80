import { createSecureClient, forkEnvironmentConfig } from '@polymarket/client';
import { privateKey } from '@polymarket/client/viem';
import type { ClobClient } from '@polymarket/clob-client-v2';
import { expect } from 'chai';
import { guard, OrderRefused } from '#client/guard/index';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { CREDS } from './support/credentials.js';
import { ended, GuardWorld } from './support/guard-world.js';
import { CLOB_CLIENT, makeClob, OFFICIAL_CLIENTS, TS_SDK } from './support/official-clients.js';

const KEY = `0x${'5e'.repeat(32)}` as const;
/** The exchange of the venue with its middle changed: what is shown of it, its ends, is the same. */
const LOOK_ALIKE = '0xe111180000d2663c0091e4f400237545b87b996c';
const SECRETS = ['signer', 'creds', 'credentials', 'orderBuilder', 'account', 'getSigner'];

describe('what the guard looks at of a client', function () {
  this.timeout(PROCESS_TEST_MS);
  let world: GuardWorld;
  before(async () => {
    world = await GuardWorld.start();
  });
  after(() => world?.stop());
  beforeEach(() => world.reset());

  it('refuses an order that is signed for an exchange that only looks like the one of the venue', async () => {
    const environment = forkEnvironmentConfig({
      name: 'look-alike',
      clob: { rest: world.door.url },
      contracts: { standardExchange: LOOK_ALIKE as never, negRiskExchange: LOOK_ALIKE as never },
    });
    const { address } = await import('viem/accounts').then(({ privateKeyToAccount }) => privateKeyToAccount(KEY));
    const sdk = await createSecureClient({
      environment,
      wallet: address,
      signer: privateKey(KEY),
      credentials: CREDS as never,
    });
    const clob = makeClob(world.door.url);
    const signer = Reflect.get(clob.orderBuilder, 'signer') as { signTypedData(data: object): Promise<string> };
    const sign = signer.signTypedData.bind(signer);
    signer.signTypedData = (data) => {
      const domain = { ...(data as { readonly domain: object }).domain, verifyingContract: LOOK_ALIKE };
      return sign({ ...data, domain });
    };
    for (const [official, raw] of [
      [TS_SDK, sdk],
      [CLOB_CLIENT, clob],
    ] as const) {
      const orders = await world.orders(official, { throwOnError: true }, raw);
      const before = world.door.posted.length;
      for (const work of [
        () => orders.buy(world.token('usual'), 50),
        () => orders.limit(world.token('usual'), 'BUY', 10, 0.3),
        () => orders.sell(world.token('usual'), 50),
      ]) {
        const end = await ended(work());
        expect(
          'error' in end && end.error instanceof OrderRefused && end.error.rule,
          JSON.stringify([official.name, 'error' in end && end.error.message]),
        ).to.equal('exchange_mismatch');
      }
      expect(world.door.posted).to.have.length(before);
      expect(world.claimedUsd()).to.equal(0);
    }
  });

  it('reads no key, signer or credentials', async () => {
    for (const official of OFFICIAL_CLIENTS) {
      const raw = await official.make(world.door.url);
      const readers: string[] = [];
      const spy = new Proxy(raw, {
        get(target, key) {
          // The first place in a file on the stack is that of who reads.
          const by =
            new Error().stack
              ?.split('\n')
              .slice(2)
              .find((line) => /\.[jt]s:\d/.test(line) && !line.includes('node:internal')) ?? '';
          const isGuard = by.includes('/src/client/guard/');
          if (isGuard) readers.push(String(key));
          return Reflect.get(target, key, target);
        },
      });
      const orders = await world.orders(official, { throwOnError: false }, spy);
      const token = world.token('usual');
      await orders.buy(token, 50);
      await orders.sell(token, 20);
      await orders.limit(token, 'BUY', 10, 0.3);
      await orders.post(await orders.sign(token, 20, 0.9));
      await orders.cancelAll();
      expect(readers, official.name).to.include('createMarketOrder');
      expect(readers.filter((key) => SECRETS.includes(key))).to.deep.equal([]);
    }
  });

  it('changes nothing of what it is given, where the client alone would', async () => {
    const order = { tokenID: world.token('usual'), side: 'BUY' as never, amount: 50 };
    const written = JSON.stringify(order);
    for (const mode of ['guard', 'shadow'] as const) {
      const client = guard(makeClob(world.door.url), world.options({ mode }));
      await client.createAndPostMarketOrder(order);
      expect(JSON.stringify(order)).to.equal(written);
    }
    await makeClob(world.door.url).createAndPostMarketOrder(order);
    expect(JSON.stringify(order), 'the client itself').to.not.equal(written);
  });

  it('sends an order once although the client is set to send it again', async () => {
    const token = world.token('usual');
    const sentBy = async (client: ClobClient) => {
      const before = world.door.posted.length;
      world.door.next({ kind: 'lost_after_match' });
      await CLOB_CLIENT.ordersOf(client).buy(token, 50);
      return world.door.posted.length - before;
    };
    const make = () => makeClob(world.door.url, KEY, { retryOnError: true });
    expect(await sentBy(make()), 'the client itself').to.equal(2);
    expect(await sentBy(guard(make(), world.options()))).to.equal(1);
  });

  it('follows a price step that the client has kept from before', async () => {
    const token = world.token('deep');
    const raw = makeClob(world.door.url);
    raw.tickSizes[token] = '0.01';
    const end = await ended(CLOB_CLIENT.ordersOf(guard(raw, world.options({ throwOnError: true }))).buy(token, 50));
    expect('answer' in end && CLOB_CLIENT.isAccepted(end.answer), JSON.stringify(end)).to.equal(true);
  });

  it('leaves every other method as it is', async () => {
    for (const official of OFFICIAL_CLIENTS) {
      const raw = await official.make(world.door.url);
      const client = guard(raw, world.options());
      expect(client).to.be.instanceOf(raw.constructor);
      expect(client.constructor).to.equal(raw.constructor);
      for (const key of [
        'cancelOrders',
        'createMarketOrder',
        'postOrder',
        'createLimitOrder',
        'getOrderBook',
        'fetchOrderBook',
      ]) {
        const method = Reflect.get(client, key);
        expect(typeof method, `${official.name}.${key}`).to.equal(typeof Reflect.get(raw, key));
        expect(Reflect.get(client, key)).to.equal(method);
      }
    }
    expect(() => guard({}, world.options())).to.throw(TypeError, /no client of the venue/);
    expect(() => guard(makeClob(world.door.url), world.options({ perDayUsd: Number.NaN }))).to.throw(
      TypeError,
      /perDayUsd/,
    );
  });

  it('has the type of the client', () => {
    const asClob = (client: ClobClient): ClobClient => guard(client, world.options());
    type Sdk = Awaited<ReturnType<typeof createSecureClient>>;
    const asSdk = (client: Sdk): Sdk => guard(client, world.options());
    expect([asClob, asSdk]).to.have.length(2);
  });
});
