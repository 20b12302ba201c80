import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createFacilitator } from '#adapters/facilitator/facilitator';
import type { SignedPayment } from '#domain/payment/payment';
import { type UpstreamWatch, watchUpstreams } from '#services/status/upstream-watch';
import { newPayment, type PaymentsRig, startPaymentsRig, TX } from '#test/server/services/support/payments-rig';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualTimers } from '#test/support/manual-timers';

type Respond = Parameters<LoopbackServer['answer']>[0];

/** How soon payments have to go through again, by the clock of the service. */
const AGAIN_MS_MAX = 2_000;
const INTERVAL_MS = 500;
/** Real time within which what needs none has ended. */
const PATIENCE_MS = 5_000;
const STEP_MS = 100;
const STEPS_MAX = 200;
/** So that what is not answered is given up within a second of the service, however busy the machine is. */
const STEP_REAL_MS = 10;
/** What an answer on loopback has of real time while a tenth of a second passes for the service. */
const REAL_MS = 20;
/** In real time, after which nobody is there. */
const GONE_MS = 60;

const isWell: Respond = ({ method, url, body }, response) => {
  if (method === 'GET') return sendJson(response, { kinds: [] });
  const { from } = JSON.parse(body).paymentPayload.payload.authorization;
  const settled = { success: true, transaction: TX, network: 'eip155:8453', payer: from };
  sendJson(response, url.endsWith('/verify') ? { isValid: true, payer: from } : settled);
};
const isDown: Respond = (_, response) => response.destroy();
/** Takes the question, and that is all. */
const isSilent: Respond = () => undefined;
const answers =
  (status: number): Respond =>
  (_, response) =>
    response.writeHead(status).end();

/** The signature of a stranger, which a contract at the payer's address might take for its own. */
const GARBAGE = `0x${'00'.repeat(65)}`;

describe('payments through an outage, over HTTP', () => {
  const servers: LoopbackServer[] = [];
  let rig: PaymentsRig;
  /** Of the facilitators, and of the watch that asks them whether they are there. */
  let timers: ManualTimers;
  let watch: UpstreamWatch;

  async function start(facilitators: number): Promise<void> {
    for (let n = 0; n < facilitators; n++) servers.push(await startLoopbackServer());
    for (const server of servers) server.answer(isWell);
    rig = await startPaymentsRig({
      signatures: { check: ({ signature }) => (signature === GARBAGE ? 'mismatch' : 'matches') },
      around: (outside, clock) => {
        timers = new ManualTimers(clock);
        const limits = { supportedTimeoutMs: GONE_MS };
        const upstreams = servers.map(({ baseUrl }) => createFacilitator({ baseUrl, clock, timers, limits }));
        watch = watchUpstreams({ upstreams, clock, timers });
        return { ...outside, facilitators: upstreams };
      },
    });
    watch.start();
  }
  afterEach(async () => {
    watch.stop();
    await rig.close();
    for (const server of servers.splice(0)) await server.close();
  });

  /** Lets time pass, in steps so short that probes are answered meanwhile. */
  async function pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      await rig.pass(STEP_MS);
      timers.advance(0);
      await sleep(STEP_REAL_MS);
    }
  }

  /** Lets so little time pass at once that nothing which answers is taken for silent. */
  async function passUntil(isSo: () => boolean): Promise<void> {
    for (let steps = 0; steps < STEPS_MAX && !isSo(); steps++) {
      await sleep(REAL_MS);
      await pass(STEP_MS);
    }
    expect(isSo(), String(isSo)).to.equal(true);
  }

  /** What a facilitator was asked about payments. */
  const postsTo = (n: number) => servers[n]!.seen.filter(({ method }) => method === 'POST').map(({ url }) => url);

  const pay = async (changes: Partial<SignedPayment> = {}) =>
    (await rig.pay({ ...newPayment(rig.clock), ...changes })).kind;

  /** On a busy machine an answer may be taken for silence: then time has to pass for what waits. */
  async function timely<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    await Promise.race([ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (!isOver) await passUntil(() => isOver);
    return ended;
  }

  /** Several payments at once, every half a second, for so long. */
  async function payFor(ms: number, changes: Partial<SignedPayment> = {}): Promise<Set<string>> {
    const outcomes = new Set<string>();
    for (let passedMs = 0; passedMs < ms; passedMs += INTERVAL_MS) {
      for (const kind of await timely(Promise.all([1, 2, 3].map(() => pay(changes))))) outcomes.add(kind);
      await pass(INTERVAL_MS);
    }
    return outcomes;
  }

  for (const [title, outageMs] of [
    ['a blip of 300 ms', 300],
    ['an outage of 12 s', 12_000],
  ] as const) {
    it(`go through again within 2 s after ${title} of the only facilitator`, async () => {
      await start(1);
      expect(await pay()).to.equal('answered');
      servers[0]!.answer(isDown);
      expect(await payFor(outageMs)).to.deep.equal(new Set(['unavailable']));
      servers[0]!.answer(isWell);
      await pass(AGAIN_MS_MAX);
      expect(await payFor(1_000)).to.deep.equal(new Set(['answered']));
    });

    it(`go on through ${title} of the first of two, which is asked again within 2 s`, async () => {
      await start(2);
      const [first] = servers;
      first!.answer(isDown);
      expect(await payFor(outageMs)).to.deep.equal(new Set(['answered']));
      first!.answer(isWell);
      await pass(AGAIN_MS_MAX);
      const requested = postsTo(0).length;
      expect(await pay()).to.equal('answered');
      expect(postsTo(0).slice(requested)).to.deep.equal(['/verify', '/settle']);
    });
  }

  it('leave the first facilitator alone while it is not even there', async () => {
    await start(2);
    servers[0]!.answer(isDown);
    await payFor(1_000);
    const requested = postsTo(0).length;
    await payFor(10_000);
    expect(postsTo(0).slice(requested)).to.deep.equal([]);
  });

  it('are tried out on it once a second while it is there and fails', async () => {
    await start(2);
    servers[0]!.answer((request, response, index) => {
      (request.method === 'GET' ? isWell : isDown)(request, response, index);
    });
    await payFor(1_000);
    const requested = postsTo(0).length;
    await payFor(10_000);
    // Verified or settled once a second, and a verification is tried twice.
    expect(postsTo(0).length - requested).to.be.within(10, 30);
  });

  describe('of a facilitator that takes questions and answers none', () => {
    /** Pays, while time passes in which a silent facilitator is found out. */
    async function payWhileSilent(changes: Partial<SignedPayment> = {}): Promise<string> {
      const paying = pay(changes);
      let kind: string | undefined;
      void paying.then((end) => {
        kind = end;
      });
      await passUntil(() => kind !== undefined);
      return kind!;
    }

    it('ask the second one beside it, and then no more payments are tried out on the first', async () => {
      await start(2);
      servers[0]!.answer(isSilent);
      expect(await payWhileSilent()).to.equal('answered');
      expect([postsTo(0), postsTo(1)]).to.deep.equal([['/verify'], ['/verify', '/settle']]);
      for (let n = 0; n < 5; n++) {
        expect(await pay(), 'without time').to.equal('answered');
        await pass(1_000);
      }
      expect(postsTo(0)).to.deep.equal(['/verify']);
    });

    it('come back to it within 2 s of its first word, by its own probe', async () => {
      await start(2);
      servers[0]!.answer(isSilent);
      await payWhileSilent();
      await pass(10_000);
      servers[0]!.answer(isWell);
      await pass(AGAIN_MS_MAX);
      const requested = postsTo(0).length;
      expect(await pay()).to.equal('answered');
      expect(postsTo(0).slice(requested)).to.deep.equal(['/verify', '/settle']);
      expect(rig.deps.facilitators[0]!.health(), 'nor is it called down').to.include({ ok: true, lastError: null });
    });

    it('know it before anybody pays', async () => {
      await start(2);
      servers[0]!.answer(isSilent);
      await pass(15_000);
      expect(await pay(), 'without time').to.equal('answered');
      expect(postsTo(0)).to.deep.equal([]);
    });

    it('settle elsewhere when not even its list is answered; the chain is asked between', async () => {
      await start(2);
      rig.chain.says = rig.unused();
      servers[0]!.answer((request, response, index) => {
        if (request.url === '/verify') isWell(request, response, index);
      });
      expect(await payWhileSilent()).to.equal('answered');
      expect([postsTo(0), postsTo(1)]).to.deep.equal([['/verify', '/settle'], ['/settle']]);
      const [first, second] = servers.map(({ seen }) => seen.filter(({ url }) => url === '/settle')[0]!.body);
      expect(second, 'the identical authorization').to.equal(first);
      expect(rig.chain.requested).to.have.length(1);
    });

    for (const [title, seconds, kind] of [
      ['are waited for where it only takes long to settle', 6, 'answered'],
      ['have no known outcome after 8 s of silence, and are answered when they are repeated', 8, 'unknown'],
    ] as const)
      it(title, async () => {
        await start(2);
        const payment = newPayment(rig.clock);
        let settle = () => {};
        servers[0]!.answer((request, response, index) => {
          if (request.url !== '/settle') isWell(request, response, index);
          else settle = () => isWell(request, response, index);
        });
        const paying = pay(payment);
        await passUntil(() => postsTo(0).includes('/settle'));
        for (let second = 0; second < seconds; second++) {
          await sleep(REAL_MS);
          await pass(1_000);
        }
        const repeated = kind === 'unknown' ? pay(payment) : paying;
        settle();
        expect([await paying, await repeated]).to.deep.equal([kind, 'answered']);
        expect(postsTo(1)).to.deep.equal([]);
      });

    it('have an honest end where both are silent: nothing was charged, and the same payment may come again', async () => {
      await start(2);
      const payment = newPayment(rig.clock);
      for (const server of servers) server.answer(isSilent);
      const startedAtMs = rig.clock.elapsedMs();
      expect(await payWhileSilent(payment)).to.equal('unavailable');
      expect(rig.clock.elapsedMs() - startedAtMs, 'by the clock of the service').to.be.at.most(3_000);
      expect(await rig.row(payment)).to.equal(null);
      for (const server of servers) server.answer(isWell);
      await pass(AGAIN_MS_MAX);
      expect(await pay(payment)).to.equal('answered');
    });
  });

  for (const [what, garbageGets] of [
    ['429', answers(429)],
    ['500', answers(500)],
    ['a broken connection', isDown],
  ] as const) {
    it(`of honest payers go through while the facilitator answers the garbage of others with ${what}`, async () => {
      await start(1);
      servers[0]!.answer((request, response, index) => {
        const { signature } = JSON.parse(request.body).paymentPayload.payload;
        (signature === GARBAGE ? garbageGets : isWell)(request, response, index);
      });
      expect(await payFor(2_500, { signature: GARBAGE })).to.deep.equal(new Set(['unavailable']));
      expect(await pay()).to.equal('answered');
      expect(await payFor(1_000)).to.deep.equal(new Set(['answered']));
    });
  }
});
