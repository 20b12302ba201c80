import { createServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { VERDICT_DEADLINE_MS } from '#client/http/deadline';
import { whyNeverSent } from '#client/http/never-sent';
import { memoryState, Preflight } from '#client/index';
import { clientSystem } from '#client/system';
import { answer, startHostileServer } from '#test/client/support/hostile-server';
import { hurried } from '#test/client/support/hurried';
import { watchedAccount } from '#test/client/support/watched-account';
import { listen } from '#test/support/listen';

const order = { slug: 'a-market', usd: 25 };
const failed = (cause: object) => new TypeError('fetch failed', { cause });

/** An address of this machine where nothing listens. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('a service that is not there', () => {
  /** Would wait for ever: whoever asks again here never ends. */
  const patient = { ...clientSystem, timers: { ...clientSystem.timers, sleep: () => new Promise<void>(() => {}) } };

  it('is told at once, by a token and by an account, and nothing was charged', async () => {
    const baseUrl = await deadUrl();
    const { account, signed } = watchedAccount();
    const token = `tk_${account.address}_secret`;
    for (const purse of [{ account }, { token }]) {
      const preflight = new Preflight({ baseUrl, system: patient, ...purse });
      for (let n = 0; n < 3; n++) {
        const error = await preflight.verdict(order).catch((caught) => caught);
        expect(error).to.include({ code: 'unreachable', charged: 'nothing' });
        expect(error.message).to.include(`nothing listens at ${baseUrl}`);
      }
    }
    expect(signed).to.have.length(0);
  });

  it('is told at once when it went between the terms and the payment, and the same payment is sent later', async () => {
    let isGone = true;
    const server = await startHostileServer({}, 'v2');
    const { account, signed } = watchedAccount();
    const ledger = memoryState(clientSystem.clock);
    const reach = async (url: string, init: RequestInit) => {
      const isPaid = new Headers(init.headers).has('payment-signature');
      return fetch(isPaid && isGone ? url.replace(server.url, await deadUrl()) : url, init);
    };
    const preflight = new Preflight({ baseUrl: server.url, account, ledger, fetch: reach, system: patient });
    for (let n = 0; n < 2; n++) {
      const error = await preflight.verdict(order).catch((caught) => caught);
      expect(error).to.include({ code: 'unreachable', charged: 'nothing' });
    }
    expect((await preflight.spending()).open).to.have.length(1);
    isGone = false;
    expect((await preflight.verdict(order)).body).to.include({ verdict: 'OK' });
    expect([signed.length, (await preflight.spending()).cents]).to.deep.equal([1, 2]);
    await server.close();
  });

  it('has a payment noted as sent before it is sent, also the second time', async () => {
    let isGone = true;
    const server = await startHostileServer({}, 'v2');
    const { account } = watchedAccount();
    const ledger = memoryState(clientSystem.clock);
    const unsent: (boolean | undefined)[] = [];
    const noted = async () => (await ledger.journal.list(account.address.toLowerCase())).map((one) => one.unsent);
    const reach = async (url: string, init: RequestInit) => {
      if (new Headers(init.headers).has('payment-signature')) {
        unsent.push(...(await noted()));
        if (isGone) return fetch(url.replace(server.url, await deadUrl()), init);
      }
      return fetch(url, init);
    };
    const preflight = new Preflight({ baseUrl: server.url, account, ledger, fetch: reach, system: patient });
    await preflight.verdict(order).catch(() => undefined);
    expect(await noted(), 'once it found nobody').to.deep.equal([true]);
    isGone = false;
    await preflight.verdict(order);
    expect(unsent).to.deep.equal([undefined, undefined]);
    await server.close();
  });

  it('is told at once when it went before its terms could be read again, of a payment that was never sent', async () => {
    const server = await startHostileServer({}, 'v2');
    const { account, signed } = watchedAccount();
    const ledger = memoryState(clientSystem.clock);
    const reach = async (url: string, init: RequestInit) =>
      fetch(new Headers(init.headers).has('payment-signature') ? url.replace(server.url, await deadUrl()) : url, init);
    const given = { baseUrl: server.url, account, ledger, system: patient };
    const ends = [];
    for (const fetched of [reach, fetch]) {
      const call = new Preflight({ ...given, fetch: fetched }).verdict(order, { deadlineMs: 2_000 });
      ends.push(await call.catch(({ charged }) => charged));
      await server.close();
    }
    expect([ends, signed.length]).to.deep.equal([['nothing', 'nothing'], 1]);
  });

  it('is asked again where a payment may have arrived, and somebody is told so', async () => {
    let paid = 0;
    const server = await startHostileServer(
      {
        paid: (response) => {
          paid++;
          response.destroy();
        },
      },
      'v2',
    );
    const { account } = watchedAccount();
    const told: string[] = [];
    const reach = async (url: string, init: RequestInit) =>
      fetch(paid > 0 ? url.replace(server.url, await deadUrl()) : url, init);
    const preflight = new Preflight({
      baseUrl: server.url,
      account,
      fetch: reach,
      system: hurried(50),
      onRetry: (why) => told.push(why),
    });
    const error = await preflight.verdict(order, { deadlineMs: 3_000 }).catch((caught) => caught);
    expect(error).to.include({ name: 'OutcomeUnknown', charged: 'unknown' });
    expect(told[1]).to.match(/^nothing listens at .*; the same is sent again, and charged at most once$/);
    await server.close();
  });

  it('is waited for by a verdict no longer than ten seconds, unless it is told otherwise', async () => {
    const after: number[] = [];
    const timers = {
      ...clientSystem.timers,
      after: (ms: number) => {
        after.push(ms);
        return () => {};
      },
    };
    const preflight = new Preflight({ baseUrl: await deadUrl(), system: { ...clientSystem, timers } });
    await preflight.verdict(order).catch(() => {});
    await preflight.leaderboard().catch(() => {});
    await preflight.verdict(order, { deadlineMs: 30_000 }).catch(() => {});
    expect([VERDICT_DEADLINE_MS, ...after]).to.deep.equal([10_000, 10_000, 60_000, 30_000]);
  });

  it('is waited for as long as it says before the same payment is sent again, in seconds or by a date', async () => {
    const date = new Date('2020-01-01T00:00:00Z');
    const later = new Date(date.getTime() + 7_000);
    const rows = [
      ['7', 7],
      [later.toUTCString(), 7],
      ['soon', 0.5],
      ['-7', 0.5],
      ['2020-01-01', 0.5],
    ] as const;
    for (const [retryAfter, leastS] of rows) {
      let paid = 0;
      const trick = {
        paid: (response: ServerResponse) => {
          if (paid++ > 0) return answer(response, 'v2', { ok: true, verdict: 'OK', reasons: ['fine'] });
          response.writeHead(429, { date: date.toUTCString(), 'retry-after': retryAfter }).end('{}');
        },
      };
      const server = await startHostileServer(trick, 'v2');
      const waits: number[] = [];
      const sleep = async (ms: number) => void waits.push(ms / 1e3);
      const system = { ...clientSystem, timers: { ...clientSystem.timers, sleep } };
      const { account, signed } = watchedAccount();
      await new Preflight({ baseUrl: server.url, account, system }).verdict(order, { deadlineMs: 20_000 });
      expect([signed.length, paid, waits.length], retryAfter).to.deep.equal([1, 2, 1]);
      expect(waits[0], retryAfter).to.be.within(leastS, leastS * 1.25);
      await server.close();
    }
  });

  it('is not believed to have charged no credits by the word of a proxy, once they may have been spent', async () => {
    const keys: (string | null)[] = [];
    const answers = [
      () => Promise.reject(failed({ code: 'ECONNRESET' })),
      async () => new Response('<html>no</html>', { status: 403 }),
      async () => new Response('{"error":"no credits","code":"insufficient_credits"}', { status: 402 }),
      async () => new Response('<html>no</html>', { status: 403 }),
    ];
    const preflight = new Preflight({
      baseUrl: 'https://a.example',
      token: `tk_${watchedAccount().account.address}_secret`,
      fetch: (_url, { headers }) => {
        keys.push(new Headers(headers).get('idempotency-key'));
        return answers[keys.length - 1]!();
      },
      system: hurried(1_000),
    });
    const ends = [];
    for (let n = 0; n < 3; n++) ends.push(await preflight.verdict(order).catch(({ name, charged }) => [name, charged]));
    expect(ends).to.deep.equal([
      ['OutcomeUnknown', 'unknown'],
      ['NotPaid', 'nothing'],
      ['Problem', 'nothing'],
    ]);
    expect([new Set(keys.slice(0, 3)).size, new Set(keys).size]).to.deep.equal([1, 2]);
  });

  it('may be waited for longer than any timer runs, or for ever', async () => {
    const server = await startHostileServer({}, 'v2');
    const slow = async (url: string, init: RequestInit) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return fetch(url, init);
    };
    for (const deadlineMs of [2 ** 31, Number.POSITIVE_INFINITY]) {
      const { account } = watchedAccount();
      const preflight = new Preflight({ baseUrl: server.url, account, fetch: slow });
      expect((await preflight.verdict(order, { deadlineMs })).body).to.include({ verdict: 'OK' });
    }
    await server.close();
  });

  it('is known by the codes of connections that did not come about, and by no others', () => {
    const at = 'https://a.example/x';
    const port = failed(new Error('bad port'));
    expect(whyNeverSent(port, 'http://127.0.0.1:1/x')).to.equal('fetch connects to no such port: http://127.0.0.1:1');
    expect(whyNeverSent(failed({ code: 'ENOTFOUND' }), at)).to.equal('there is no such host: https://a.example');
    const both = failed({ code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ENETUNREACH' }] });
    expect(whyNeverSent(both, at)).to.equal('nothing listens at https://a.example');
    const one = failed({ code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ETIMEDOUT' }] });
    for (const error of [
      one,
      failed({ code: 'ECONNRESET' }),
      failed({}),
      failed({ errors: [] }),
      new Error('x'),
      1,
      null,
    ]) {
      expect(whyNeverSent(error, at)).to.equal(null);
    }
  });
});
