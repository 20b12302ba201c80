import { expect } from 'chai';
import { createFacilitator } from '#adapters/facilitator/facilitator';
import type { SignedPayment } from '#domain/payment/payment';
import { newPayment, type PaymentsRig, startPaymentsRig, TX } from '#test/server/services/support/payments-rig';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';

type Respond = Parameters<LoopbackServer['answer']>[0];

/** How soon payments have to go through again, by the clock of the service. */
const AGAIN_MS_MAX = 2_000;
const INTERVAL_MS = 500;

const isWell: Respond = ({ url, body }, response) => {
  const { from } = JSON.parse(body).paymentPayload.payload.authorization;
  const settled = { success: true, transaction: TX, network: 'eip155:8453', payer: from };
  sendJson(response, url.endsWith('/verify') ? { isValid: true, payer: from } : settled);
};
const isDown: Respond = (_, response) => response.destroy();
const answers =
  (status: number): Respond =>
  (_, response) =>
    response.writeHead(status).end();

/** The signature of a stranger, which a contract at the payer's address might take for its own. */
const GARBAGE = `0x${'00'.repeat(65)}`;

describe('payments through an outage, over HTTP', () => {
  const servers: LoopbackServer[] = [];
  let rig: PaymentsRig;

  async function start(facilitators: number): Promise<void> {
    for (let n = 0; n < facilitators; n++) servers.push(await startLoopbackServer());
    for (const server of servers) server.answer(isWell);
    rig = await startPaymentsRig({
      signatures: { check: ({ signature }) => (signature === GARBAGE ? 'mismatch' : 'matches') },
      around: (outside, clock) => ({
        ...outside,
        facilitators: servers.map(({ baseUrl }) => createFacilitator({ baseUrl, clock })),
      }),
    });
  }
  afterEach(async () => {
    await rig.close();
    for (const server of servers.splice(0)) await server.close();
  });

  const pay = async (changes: Partial<SignedPayment> = {}) =>
    (await rig.pay({ ...newPayment(rig.clock), ...changes })).kind;

  /** Several payments at once, every half a second, for so long. */
  async function payFor(ms: number, changes: Partial<SignedPayment> = {}): Promise<Set<string>> {
    const outcomes = new Set<string>();
    for (let passedMs = 0; passedMs < ms; passedMs += INTERVAL_MS) {
      for (const kind of await Promise.all([1, 2, 3].map(() => pay(changes)))) outcomes.add(kind);
      await rig.pass(INTERVAL_MS);
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
      await rig.pass(AGAIN_MS_MAX);
      expect(await payFor(1_000)).to.deep.equal(new Set(['answered']));
    });

    it(`go on through ${title} of the first of two, which is asked again within 2 s`, async () => {
      await start(2);
      const [first] = servers;
      first!.answer(isDown);
      expect(await payFor(outageMs)).to.deep.equal(new Set(['answered']));
      first!.answer(isWell);
      await rig.pass(AGAIN_MS_MAX);
      const requested = first!.seen.length;
      expect(await pay()).to.equal('answered');
      expect(first!.seen.length - requested, 'verified and settled there').to.equal(2);
    });
  }

  it('leave the first facilitator alone while it is down, but for a look once a second', async () => {
    await start(2);
    servers[0]!.answer(isDown);
    await payFor(1_000);
    const requested = servers[0]!.seen.length;
    await payFor(10_000);
    // Verified or settled once a second, and a verification is tried twice.
    expect(servers[0]!.seen.length - requested).to.be.within(10, 30);
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
