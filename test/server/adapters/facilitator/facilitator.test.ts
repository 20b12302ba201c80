import { createServer as createTlsServer } from 'node:https';
import { PaymentPayloadV2Schema, PaymentRequirementsV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';
import { ERROR_SHOWN_MS } from '#adapters/facilitator/endpoint-health';
import { createFacilitator, type FacilitatorLimits } from '#adapters/facilitator/facilitator';
import type { SignedPayment } from '#domain/payment/payment';
import type { SettleOutcome, VerifyOutcome } from '#ports/settlement';
import { whileCollecting } from '#test/support/collected-garbage';
import { listen } from '#test/support/listen';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { RecordedLog } from '#test/support/recorded-log';
import { DEMAND, signPayment } from '#test/support/signed-payments';

const HASH = `0x${'ab'.repeat(32)}`;
/** Longer than an answer on loopback takes on a busy machine. */
const ANSWER_MS = 500;
const QUICK: Partial<FacilitatorLimits> = {
  verifyTimeoutMs: ANSWER_MS,
  settleTimeoutMs: ANSWER_MS,
  breakerFailures: 1_000,
};
const UPPER_HASH = `0x${'AB'.repeat(32)}`;

describe('facilitator', () => {
  let server: LoopbackServer;
  let payment: SignedPayment;
  let clock: ManualClock;
  let timers: ManualTimers;

  before(async () => {
    payment = await signPayment();
  });
  beforeEach(async () => {
    server = await startLoopbackServer();
    clock = new ManualClock(1_790_000_000_000);
    timers = new ManualTimers(clock);
  });
  afterEach(() => server.close());

  function facilitator(limits: Partial<FacilitatorLimits> = {}, baseUrl = `${server.baseUrl}/platform/`) {
    return createFacilitator({ baseUrl, clock, timers, limits: { ...QUICK, ...limits } });
  }
  const BREAKS = { breakerFailures: 3, breakerPauseMs: 1_000 };
  const payer = () => payment.authorization.from;
  let made = 0;
  /** A payment of its own each; the facilitator does not look at the signature. */
  const another = (): SignedPayment => {
    const nonce = `0x${(++made).toString(16).padStart(64, '0')}`;
    return { ...payment, authorization: { ...payment.authorization, nonce } };
  };
  const settled = (more: object = {}) => ({
    success: true,
    transaction: HASH,
    network: 'eip155:8453',
    payer: payer(),
    ...more,
  });
  const failed = (errorReason: string, more: object = {}) => ({
    success: false,
    errorReason,
    transaction: '',
    ...more,
  });

  async function settle(status: number, body: object | string, limits = {}): Promise<SettleOutcome> {
    server.answer((_, response) => {
      if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(body);
      else sendJson(response, body, status);
    });
    return await facilitator(limits).settle(payment, DEMAND, 'key');
  }

  async function verify(status: number, body: object | string): Promise<VerifyOutcome> {
    server.answer((_, response) => {
      if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(body);
      else sendJson(response, body, status);
    });
    return await facilitator().verify(payment, DEMAND, 'key');
  }

  it('is told the payment and our terms in v2 form, and nothing else that a client sent', async () => {
    const sent = {
      ...payment,
      version: 1,
      paymentIdentifier: 'pay_7d5d747be160e280',
      resourceUrl: 'https://evil.example',
    } as const;
    server.answer((_, response) => sendJson(response, settled()));
    const one = createFacilitator({
      baseUrl: `${server.baseUrl}/platform/v2/x402/`,
      clock,
      timers,
      authorize: (method, url) => ({ authorization: `Bearer ${method} ${new URL(url).pathname}` }),
    });
    await one.settle(sent, DEMAND, 'key');
    server.answer((_, response) => sendJson(response, { isValid: true }));
    await one.verify(sent, DEMAND, 'key');

    const [settling, verifying] = server.seen;
    expect(settling).to.include({ method: 'POST', url: '/platform/v2/x402/settle' });
    expect(settling!.headers.authorization).to.equal('Bearer POST /platform/v2/x402/settle');
    expect(verifying).to.include({ method: 'POST', url: '/platform/v2/x402/verify', body: settling!.body });
    expect(verifying!.headers.authorization).to.equal('Bearer POST /platform/v2/x402/verify');

    const body = JSON.parse(settling!.body);
    expect(body).to.have.all.keys('x402Version', 'paymentPayload', 'paymentRequirements');
    expect(body.x402Version).to.equal(2);
    expect(PaymentPayloadV2Schema.parse(body.paymentPayload)).to.deep.equal(body.paymentPayload);
    expect(PaymentRequirementsV2Schema.parse(body.paymentRequirements)).to.deep.equal(body.paymentPayload.accepted);
    const { signature, authorization } = payment;
    expect(body.paymentPayload.payload).to.deep.equal({ signature, authorization });
    expect(body.paymentPayload.resource.url).to.equal(DEMAND.resourceUrl);
    expect(body.paymentPayload.extensions).to.have.all.keys('bazaar', 'payment-identifier');
    expect(body.paymentRequirements).to.include({ amount: '20000', payTo: DEMAND.payTo, asset: DEMAND.asset });
    expect(settling!.body).to.not.contain('evil').and.not.contain('pay_7d5d');
  });

  describe('settling', () => {
    it('is certain only where payer, network and transaction fit', async () => {
      for (const more of [
        {},
        { payer: payer().toUpperCase().replace('0X', '0x') },
        { network: 'base' },
        { transaction: UPPER_HASH },
      ]) {
        expect(await settle(200, settled(more))).to.deep.equal({ kind: 'settled', transaction: HASH });
      }
      const terse = { success: true, transaction: HASH };
      expect(await settle(201, terse)).to.deep.equal({ kind: 'settled', transaction: HASH });
      const marked = `\ufeff${JSON.stringify(terse)}`;
      expect(await settle(200, marked)).to.deep.equal({ kind: 'settled', transaction: HASH });
    });

    it('is unknown where a success proves nothing', async () => {
      const cases: [number, object, string | null][] = [
        [200, settled({ transaction: '' }), null],
        [200, settled({ transaction: undefined }), null],
        [200, settled({ transaction: '0x12' }), null],
        [200, settled({ transaction: `${HASH}00` }), null],
        [200, settled({ payer: DEMAND.payTo }), HASH],
        [200, settled({ network: 'eip155:84532' }), HASH],
        [500, settled(), HASH],
        [400, settled(), HASH],
      ];
      for (const [status, body, transaction] of cases) {
        const outcome = await settle(status, body);
        expect(outcome, JSON.stringify(body)).to.include({ kind: 'unknown', transaction });
      }
    });

    it('is unknown while it is pending, in all forms in which facilitators say so', async () => {
      for (const status of [200, 202, 500]) {
        const withHash = failed('settlement_pending', { transaction: HASH, payer: payer() });
        expect(await settle(status, withHash)).to.deep.equal({
          kind: 'unknown',
          reason: 'settlement_pending',
          transaction: HASH,
        });
        const withoutHash = { success: false, errorReason: 'settlement_pending', paymentId: 'p' };
        expect(await settle(status, withoutHash)).to.deep.equal({
          kind: 'unknown',
          reason: 'settlement_pending',
          transaction: null,
        });
      }
    });

    it('is refused for the reasons that are given before anything is sent, and only where nothing was', async () => {
      const reasons = [
        'insufficient_funds',
        'invalid_exact_evm_signature',
        'invalid_exact_evm_payload_authorization_valid_before',
        'invalid_exact_evm_payload_authorization_from_address_kyt',
        'invalid_payload',
      ];
      expect(await settle(200, failed('invalid_network'))).to.deep.equal({
        kind: 'not_sent',
        reason: 'invalid_network',
      });
      for (const reason of reasons) {
        expect(await settle(200, failed(reason))).to.deep.equal({ kind: 'rejected', reason });
        expect(await settle(400, failed(reason, { transaction: null }))).to.deep.equal({ kind: 'rejected', reason });
        expect(await settle(500, failed(reason))).to.deep.equal({ kind: 'unknown', reason, transaction: null });
        expect(await settle(200, failed(reason, { transaction: HASH }))).to.include({
          kind: 'unknown',
          transaction: HASH,
        });
        expect(await settle(200, failed(reason, { transaction: 'tx' }))).to.include({
          kind: 'unknown',
          transaction: null,
        });
      }
    });

    it('is unknown for all other reasons, of which some follow a transfer that happened', async () => {
      const reasons = [
        'invalid_exact_evm_nonce_already_used',
        'invalid_exact_evm_transaction_failed',
        'invalid_exact_evm_transaction_simulation_failed',
        'invalid_transaction_state',
        'duplicate_settlement',
        'unexpected_settle_error',
        'failed_to_execute_transfer',
        'constructor',
        '',
      ];
      for (const reason of reasons) {
        expect(await settle(200, failed(reason)), reason).to.include({ kind: 'unknown', transaction: null });
        expect(await settle(400, failed(reason)), reason).to.include({ kind: 'unknown', transaction: null });
      }
    });

    it('is unknown after what is no answer at all', async () => {
      for (const status of [200, 202, 400, 409, 422, 500, 502, 503]) {
        for (const body of [
          '<html>',
          '',
          '{',
          'null',
          '[]',
          {},
          { success: 'true', transaction: HASH },
          { errorType: 'x' },
        ]) {
          const outcome = await settle(status, body);
          expect(outcome, `${status} ${JSON.stringify(body)}`).to.include({ kind: 'unknown', transaction: null });
        }
      }
      expect(await settle(200, settled({ note: 'x'.repeat(60_000) }))).to.include({ kind: 'settled' });
      expect(await settle(200, settled({ note: 'x'.repeat(70_000) }))).to.include({ kind: 'unknown' });
    });

    it('was not read where the request was turned away for our key, our URL or our pace', async () => {
      for (const status of [401, 403, 404, 405, 413, 415, 429]) {
        expect(await settle(status, { errorType: 'unauthorized' })).to.deep.equal({
          kind: 'not_sent',
          reason: `answered ${status}`,
        });
      }
    });

    it('is unknown after a silence, a body that does not end, and a broken connection, and asked once only', async () => {
      const ways: Parameters<LoopbackServer['answer']>[0][] = [
        () => undefined,
        (_, response) => response.writeHead(200).write('{"success":'),
        (_, response) => response.destroy(),
        (_, response) => {
          response.writeHead(200, { 'content-length': 100 }).write('{"success":true');
          setImmediate(() => response.destroy());
        },
      ];
      for (const [index, way] of ways.entries()) {
        server.answer(way);
        const outcome = await facilitator().settle(payment, DEMAND, 'key');
        expect(outcome, `way ${index}`).to.include({ kind: 'unknown', transaction: null });
        expect(server.seen).to.have.length(index + 1);
      }
    });

    it('gives up a body that does not end, whatever is collected meanwhile', async () => {
      server.answer((_, response) => response.writeHead(200).write('{"success":'));
      const outcome = await whileCollecting(() => facilitator().settle(payment, DEMAND, 'key'));
      expect(outcome).to.include({ kind: 'unknown', reason: `no answer within ${ANSWER_MS} ms` });
    });

    it('does not follow a redirect with a payment in hand', async () => {
      const other = await startLoopbackServer();
      try {
        for (const status of [301, 302, 303, 307, 308]) {
          server.answer((_, response) => response.writeHead(status, { location: other.baseUrl }).end());
          const outcome = await facilitator().settle(payment, DEMAND, 'key');
          expect(outcome).to.include({ kind: 'unknown' });
          expect(JSON.stringify(outcome)).to.contain(`answered ${status}; redirects are not followed`);
        }
        expect(other.seen).to.have.length(0);
      } finally {
        await other.close();
      }
    });

    it('was not sent where no connection came about', async () => {
      const closed = await startLoopbackServer();
      await closed.close();
      // Without a certificate every handshake fails, and what speaks no TLS does not begin one.
      const tls = createTlsServer();
      try {
        const unspoken = server.baseUrl.replace('http:', 'https:');
        const baseUrls = [
          closed.baseUrl,
          'http://no-such-host.invalid',
          `https://127.0.0.1:${await listen(tls)}`,
          unspoken,
        ];
        for (const baseUrl of baseUrls) {
          const outcome = await facilitator({ settleTimeoutMs: 5_000 }, baseUrl).settle(payment, DEMAND, 'key');
          expect(outcome.kind, `${baseUrl}: ${JSON.stringify(outcome)}`).to.equal('not_sent');
        }
      } finally {
        tls.close();
      }
    });
  });

  describe('verifying', () => {
    it('tells valid from invalid and passes the reason on', async () => {
      expect(await verify(200, { isValid: true, payer: payer() })).to.deep.equal({ kind: 'valid' });
      expect(await verify(200, { isValid: true })).to.deep.equal({ kind: 'valid' });
      for (const status of [200, 400, 402]) {
        expect(await verify(status, { isValid: false, invalidReason: 'insufficient_funds' })).to.deep.equal({
          kind: 'invalid',
          reason: 'insufficient_funds',
        });
      }
      expect(await verify(200, { isValid: false })).to.deep.equal({ kind: 'invalid', reason: 'invalid_payment' });
    });

    it('is unavailable where there is no verdict on this payment', async () => {
      const answers: [number, object | string][] = [
        [200, '<html>'],
        [200, {}],
        [200, { isValid: 1 }],
        [200, { isValid: true, payer: DEMAND.payTo }],
        [400, { isValid: true }],
        [200, { isValid: false, invalidReason: 'unexpected_verify_error' }],
        [200, { isValid: false, invalidReason: 'invalid_network' }],
        [400, { isValid: false, invalidReason: 'unsupported_scheme' }],
        [400, { errorType: 'invalid_request' }],
        [401, ''],
        [500, { isValid: false, invalidReason: 'insufficient_funds' }],
      ];
      for (const [status, body] of answers) {
        expect((await verify(status, body)).kind, `${status} ${JSON.stringify(body)}`).to.equal('unavailable');
      }
    });

    it('is tried once more after a failure, and not after a verdict', async () => {
      server.answer((_, response, index) => (index === 0 ? response.destroy() : sendJson(response, { isValid: true })));
      expect(await facilitator().verify(payment, DEMAND, 'key')).to.deep.equal({ kind: 'valid' });
      expect(server.seen).to.have.length(2);

      server.answer((_, response) => sendJson(response, { isValid: false, invalidReason: 'insufficient_funds' }));
      await facilitator().verify(payment, DEMAND, 'key');
      expect(server.seen).to.have.length(3);

      server.answer(() => undefined);
      expect(await facilitator().verify(payment, DEMAND, 'key')).to.deep.equal({
        kind: 'unavailable',
        reason: `no answer within ${ANSWER_MS} ms`,
      });
      expect(server.seen).to.have.length(5);
    });
  });

  describe('that fails', () => {
    const fail = (_: unknown, response: Parameters<typeof sendJson>[0]) => sendJson(response, {}, 503);
    const succeed = (_: unknown, response: Parameters<typeof sendJson>[0]) => sendJson(response, settled());
    const settleOne = (one: ReturnType<typeof facilitator>) => one.settle(another(), DEMAND, 'key');

    /** It says that it is there; what it does with payments is another question. */
    async function isThere(one: ReturnType<typeof facilitator>, answer: typeof fail): Promise<void> {
      server.answer((_, response) => sendJson(response, { kinds: [] }));
      await one.probe();
      server.answer(answer);
    }

    it('three payments in a row rests until it is there, for a second at least; then one call is made to see', async () => {
      const one = facilitator(BREAKS);
      server.answer(fail);
      for (let i = 0; i < 3; i++) {
        expect(one.isResting('key')).to.equal(false);
        await settleOne(one);
      }
      expect(one.isResting('key')).to.equal(true);
      // Whatever becomes of the wall clock meanwhile.
      clock.step(-3_600_000);
      clock.advance(999);
      expect(one.isResting('key')).to.equal(true);
      clock.advance(1);
      expect(one.isResting('key'), 'nobody has seen it there').to.equal(true);
      await one.probe();
      expect(one.isResting('key'), 'nor now').to.equal(true);
      await isThere(one, fail);
      expect(one.isResting('key')).to.equal(false);
      const seeing = settleOne(one);
      expect(one.isResting('key'), 'while one call is made to see').to.equal(true);
      await seeing;
      expect(one.isResting('key'), 'it still fails').to.equal(true);

      clock.advance(1_000);
      await isThere(one, succeed);
      expect(one.isResting('key')).to.equal(false);
      expect(await settleOne(one)).to.include({ kind: 'settled' });
      expect(one.isResting('key')).to.equal(false);
      server.answer(fail);
      await settleOne(one);
      expect(one.isResting('key'), 'and a single failure later is none').to.equal(false);
    });

    it('is called to see once a second also while the last such call hangs', async () => {
      const one = facilitator(BREAKS);
      server.answer(fail);
      for (let i = 0; i < 3; i++) await settleOne(one);
      await isThere(one, () => undefined);
      clock.advance(1_000);
      const hanging = settleOne(one);
      expect(one.isResting('key')).to.equal(true);
      clock.advance(1_000);
      expect(one.isResting('key')).to.equal(false);
      server.answer(succeed);
      expect(await settleOne(one)).to.include({ kind: 'settled' });
      await hanging;
      expect(one.isResting('key')).to.equal(false);
    });

    it('is asked all the same by who has no other choice, and once only', async () => {
      const one = facilitator(BREAKS);
      server.answer(fail);
      for (let i = 0; i < 3; i++) await settleOne(one);
      expect(await one.verify(another(), DEMAND, 'key')).to.include({ kind: 'unavailable' });
      expect(server.seen).to.have.length(4);
      server.answer((_, response) => sendJson(response, { isValid: true }));
      expect(await one.verify(another(), DEMAND, 'key')).to.deep.equal({ kind: 'valid' });
      expect(one.isResting('key')).to.equal(false);
    });

    it('counts a payment once however often it is tried', async () => {
      const one = facilitator(BREAKS);
      server.answer(fail);
      for (let i = 0; i < 6; i++) await one.settle(payment, DEMAND, 'key');
      await one.verify(payment, DEMAND, 'key');
      await settleOne(one);
      expect(one.isResting('key')).to.equal(false);
      await settleOne(one);
      expect(one.isResting('key')).to.equal(true);
    });

    it('does not rest where failures lie far apart or a success is between them', async () => {
      const one = facilitator(BREAKS);
      server.answer(fail);
      for (let i = 0; i < 5; i++) {
        await settleOne(one);
        clock.advance(15_000);
      }
      expect(one.isResting('key')).to.equal(false);
      for (let i = 0; i < 3; i++) {
        server.answer(succeed);
        await settleOne(one);
        server.answer(fail);
        for (let j = 0; j < 2; j++) await settleOne(one);
        expect(one.isResting('key')).to.equal(false);
      }
    });

    it('does not rest while it refuses, is at work, or wants fewer calls', async () => {
      const one = facilitator(BREAKS);
      for (const [status, reason] of [
        [200, 'insufficient_funds'],
        [500, 'settlement_pending'],
        [400, 'invalid_payload'],
        [429, 'slow_down'],
      ] as const) {
        server.answer((_, response) => sendJson(response, failed(reason), status));
        for (let i = 0; i < 4; i++) await settleOne(one);
        expect(one.isResting('key'), reason).to.equal(false);
      }
      server.answer((_, response) => response.writeHead(429).end());
      for (let i = 0; i < 4; i++) await settleOne(one);
      expect(one.isResting('key')).to.equal(false);
      server.answer(succeed);
      expect(await settleOne(one)).to.include({ kind: 'settled' });
    });

    it('is left alone if it wants fewer calls, for as long as it says', async () => {
      const one = facilitator();
      server.answer((_, response) => response.writeHead(429, { 'retry-after': '3' }).end());
      expect(await settleOne(one)).to.deep.equal({ kind: 'not_sent', reason: 'answered 429' });
      expect(await settleOne(one)).to.deep.equal({ kind: 'not_sent', reason: 'wants fewer calls (429)' });
      clock.advance(3_001);
      server.answer(succeed);
      expect(await settleOne(one)).to.include({ kind: 'settled' });
      expect(server.seen).to.have.length(2);
    });

    describe('for signatures that are not the payer’s own', () => {
      it('does not rest for honest payers, however many payments of strangers it stumbles over', async () => {
        const one = facilitator({ ...BREAKS, pace: { key: null, contract: null } });
        server.answer(fail);
        for (let i = 0; i < 40; i++) await one.verify(another(), DEMAND, 'contract');
        expect([one.isResting('contract'), one.isResting('key')]).to.deep.equal([true, false]);
        expect(one.health().ok, 'and nothing is said of it for that').to.equal(null);
        server.answer(succeed);
        expect(await settleOne(one)).to.include({ kind: 'settled' });
        expect(one.isResting('contract'), 'a success of others is none of theirs').to.equal(true);
      });

      it('does not make honest payers wait for the pause that strangers caused; the other way round it does', async () => {
        const one = facilitator();
        server.answer((_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
        await one.verify(another(), DEMAND, 'contract');
        server.answer(succeed);
        expect(await settleOne(one)).to.include({ kind: 'settled' });
        expect(await one.settle(another(), DEMAND, 'contract')).to.include({ kind: 'not_sent' });

        const other = facilitator();
        server.answer((_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
        await settleOne(other);
        expect(await other.settle(another(), DEMAND, 'contract')).to.deep.equal({
          kind: 'not_sent',
          reason: 'wants fewer calls (429)',
        });
      });

      it('is asked at a pace far below its quota, for each of its endpoints, and goes on with time', async () => {
        const one = facilitator({
          verifyAttemptsMax: 1,
          pace: { key: null, contract: { atOnceMax: 2, perSecondMax: 1 } },
        });
        server.answer(({ url }, response) =>
          sendJson(response, url.endsWith('/verify') ? { isValid: true } : settled()),
        );
        const kinds = async (n: number) => {
          const outcomes = Array.from({ length: n }, () => one.verify(another(), DEMAND, 'contract'));
          return (await Promise.all(outcomes)).map(({ kind }) => kind);
        };
        expect(await kinds(4)).to.deep.equal(['valid', 'valid', 'unavailable', 'unavailable']);
        expect(await one.settle(another(), DEMAND, 'contract'), 'what is verified is settled').to.include({
          kind: 'settled',
        });
        clock.advance(999);
        expect(await kinds(1)).to.deep.equal(['unavailable']);
        clock.advance(1);
        expect(await kinds(2)).to.deep.equal(['valid', 'unavailable']);
        clock.advance(60_000);
        expect(await kinds(3)).to.deep.equal(['valid', 'valid', 'unavailable']);
        expect(one.isResting('contract'), 'what was not sent is no failure').to.equal(false);
        const keys = await Promise.all(Array.from({ length: 20 }, () => one.verify(another(), DEMAND, 'key')));
        expect(new Set(keys.map(({ kind }) => kind)), 'of honest payers').to.deep.equal(new Set(['valid']));
      });

      it('has few calls under way at once, and none of those of honest payers', async () => {
        const one = facilitator({ callsInFlightMax: { key: 100, contract: 2 }, verifyAttemptsMax: 1 });
        server.answer(() => undefined);
        const held = [1, 2].map(() => one.verify(another(), DEMAND, 'contract'));
        expect(await one.verify(another(), DEMAND, 'contract')).to.deep.equal({
          kind: 'unavailable',
          reason: '2 such calls are under way',
        });
        server.answer(succeed);
        expect(await settleOne(one)).to.include({ kind: 'settled' });
        expect(await one.settle(another(), DEMAND, 'contract'), 'what is verified is settled').to.include({
          kind: 'settled',
        });
        await Promise.all(held);
        server.answer((_, response) => sendJson(response, { isValid: true }));
        expect(await one.verify(another(), DEMAND, 'contract')).to.deep.equal({ kind: 'valid' });
      });
    });
  });

  describe('tells how it stands', () => {
    const settleWith = async (one: ReturnType<typeof facilitator>, status: number) => {
      server.answer((request, response) => {
        const isSettling = request.url === '/platform/settle';
        sendJson(response, status === 200 && isSettling ? settled() : {}, isSettling ? status : 200);
      });
      await one.settle(payment, DEMAND, 'key');
    };

    it('under its host: by its last answer, and by the error of an endpoint with its time', async () => {
      const one = facilitator();
      const name = new URL(server.baseUrl).host;
      expect(one.name).to.equal(name);
      expect(one.health()).to.deep.equal({ name, ok: null, lastOkAtMs: null, lastError: null });
      await settleWith(one, 200);
      const lastOkAtMs = clock.nowMs();
      expect(one.health()).to.deep.equal({ name, ok: true, lastOkAtMs, lastError: null });
      clock.advance(1_000);
      await settleWith(one, 502);
      expect(one.health()).to.include({ name, ok: false, lastOkAtMs });
      const at = new Date(clock.nowMs()).toISOString();
      expect(one.health().lastError).to.equal(`POST /settle: answered 502 at ${at}, and no call has succeeded since`);
    });

    it('as not well while it lists what it supports and does not settle, until it settles', async () => {
      const one = facilitator();
      await settleWith(one, 502);
      for (let i = 0; i < 3; i++) {
        clock.advance(10_000);
        await one.probe();
        expect(server.seen.at(-1)).to.include({ method: 'GET', url: '/platform/supported' });
        expect(one.health(), 'to list is not to settle').to.include({ ok: false, lastOkAtMs: null });
        expect(one.health().lastError).to.contain('POST /settle: answered 502');
      }
      await settleWith(one, 200);
      expect(one.health()).to.include({ ok: true, lastError: null });
    });

    it('as well again a while after an error if nobody has paid since', async () => {
      const one = facilitator();
      await settleWith(one, 502);
      clock.advance(ERROR_SHOWN_MS - 1);
      await one.probe();
      expect(one.health().ok).to.equal(false);
      clock.advance(1);
      expect(one.health()).to.include({ ok: true, lastError: null });
    });

    it('as not well where it refuses everything in words that are none of the protocol, whatever the status', async () => {
      for (const body of [
        { error: 'no' },
        { errorType: 'invalid_request', errorMessage: 'x' },
        {},
        [],
        'Bad Request',
        '',
      ]) {
        for (const status of [200, 400, 402, 409, 422]) {
          const one = facilitator({ ...BREAKS, verifyAttemptsMax: 1 });
          server.answer((_, response) => {
            if (typeof body === 'string') response.writeHead(status).end(body);
            else sendJson(response, body, status);
          });
          for (let n = 0; n < 3; n++) {
            expect((await one.verify(another(), DEMAND, 'key')).kind).to.equal('unavailable');
          }
          expect(one.health(), `${status} ${JSON.stringify(body)}`).to.include({ ok: false, lastOkAtMs: null });
          expect(one.health().lastError).to.contain(`POST /verify: answered ${status} with something else than x402`);
          expect(one.isResting('key'), 'others are asked').to.equal(true);
        }
      }
      const refusing = facilitator({ ...BREAKS, verifyAttemptsMax: 1 });
      server.answer((_, response) => sendJson(response, { isValid: false, invalidReason: 'insufficient_funds' }, 400));
      for (let n = 0; n < 3; n++) await refusing.verify(another(), DEMAND, 'key');
      expect(refusing.health(), 'a verdict of the protocol').to.include({ ok: true, lastError: null });
      expect(refusing.isResting('key')).to.equal(false);
    });

    it('as not well where a page answers in its place', async () => {
      const one = facilitator();
      server.answer((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
      );
      await one.probe();
      expect(one.health().lastError).to.contain('GET /supported: answered 200 with something else than x402');
    });

    it('as not well where what it lists lacks exact payments on Base', async () => {
      const kindsOf = (...kinds: object[]) => ({ kinds, extensions: [], signers: {} });
      const [base, v1, test] = ['eip155:8453', 'base', 'eip155:84532'].map((network) => ({ scheme: 'exact', network }));
      for (const [body, isWell] of [
        [kindsOf(test!), false],
        [kindsOf({ ...base, scheme: 'upto' }, test!), false],
        [kindsOf(test!, base!), true],
        [kindsOf(v1!), true],
        [kindsOf({ x402Version: 1, ...v1 }), false],
        [kindsOf({ x402Version: 1, ...v1 }, { x402Version: 2, ...base }), true],
        [{ networks: ['base'] }, true],
      ] as const) {
        const one = facilitator();
        server.answer((_, response) => sendJson(response, body));
        await one.probe();
        expect(one.health().ok, JSON.stringify(body)).to.equal(isWell);
        if (!isWell) expect(one.health().lastError).to.contain('GET /supported: lists no exact payments on Base');
      }
    });

    it('as well without a list where it verifies, and as not where a page says that nothing is there', async () => {
      const answers = (body: object | string) => {
        server.answer(({ url }, response) => {
          if (url.endsWith('/supported')) response.writeHead(404).end('Cannot GET');
          else if (typeof body === 'string') response.writeHead(404).end(body);
          else sendJson(response, body, 400);
        });
      };
      for (const [body, isWell] of [
        [{ isValid: false, invalidReason: 'invalid_payload' }, true],
        [{ error: 'a payment is missing' }, true],
        ['<html>parked domain</html>', false],
      ] as const) {
        const one = facilitator();
        answers(body);
        await one.probe();
        expect(one.health().ok, JSON.stringify(body)).to.equal(isWell);
      }
    });

    it('as one that sends us elsewhere', async () => {
      const one = facilitator();
      server.answer((_, response) => response.writeHead(308, { location: 'https://example.org/' }).end());
      await one.probe();
      expect(one.health().lastError).to.contain('GET /supported: answered 308; redirects are not followed');
    });

    it('in its own words in the log, cut, without payloads, and not without end', async () => {
      const log = new RecordedLog();
      const one = createFacilitator({
        baseUrl: server.baseUrl,
        clock,
        timers,
        log,
        limits: { ...QUICK, verifyAttemptsMax: 1 },
      });
      const said = { isValid: false, invalidReason: 'Please complete KYC', invalidMessage: 'payer \u202eblocked\n' };
      server.answer((_, response) => sendJson(response, { ...said, correlationId: 'abc-1', other: 'x' }, 400));
      await one.verify(payment, DEMAND, 'key');
      expect(log.lines).to.deep.equal(['warn a facilitator said no, in its own words']);
      expect(log.facts[0]).to.deep.include({
        endpoint: '/verify',
        status: 400,
        words: { invalidReason: 'Please complete KYC', invalidMessage: 'payer  blocked', correlationId: 'abc-1' },
      });
      const { signature, authorization } = payment;
      const payload = Buffer.from(JSON.stringify(payment)).toString('base64');
      server.answer((_, response) =>
        response.writeHead(400).end(`no ${signature} ${authorization.nonce} ${payload} ${'x '.repeat(5_000)}`),
      );
      await one.verify(payment, DEMAND, 'key');
      const { text } = (log.facts[1] as { words: { text: string } }).words;
      expect(text).to.equal('no … … …');
      server.answer((_, response) => response.writeHead(400).end('x '.repeat(5_000)));
      await one.verify(payment, DEMAND, 'key');
      expect((log.facts[2] as { words: { text: string } }).words.text).to.have.length(201);
      for (let n = 0; n < 20; n++) await one.verify(payment, DEMAND, 'key');
      expect(log.lines).to.have.length(10);
      clock.advance(60_000);
      await one.verify(payment, DEMAND, 'contract');
      expect(log.lines, 'of strangers').to.have.length(10);
      await one.verify(payment, DEMAND, 'key');
      expect(log.lines).to.have.length(11);
      server.answer((_, response) => sendJson(response, { isValid: true }));
      await one.verify(payment, DEMAND, 'key');
      expect(log.lines).to.have.length(11);
    });

    it('as not well if it does not know us', async () => {
      const one = facilitator();
      server.answer((_, response) => sendJson(response, {}, 401));
      await one.probe();
      expect(one.health().ok).to.equal(false);
      expect(one.health().lastError).to.contain('GET /supported: answered 401');
    });
  });

  it('never repeats a payment in what it says of a failure, even where the facilitator does', async () => {
    const { signature, authorization } = payment;
    const echoes = [signature, JSON.stringify({ signature }), `bad nonce ${authorization.nonce}`, 'x'.repeat(101)];
    for (const echo of echoes) {
      const outcomes = [
        await settle(200, failed(echo)),
        await settle(500, echo),
        await verify(200, { isValid: false, invalidReason: echo }),
        await verify(200, echo),
      ];
      const said = JSON.stringify(outcomes);
      for (const secret of [signature.slice(2, 40), authorization.nonce.slice(2), 'x'.repeat(50)]) {
        expect(said).to.not.contain(secret);
      }
    }
  });
});
