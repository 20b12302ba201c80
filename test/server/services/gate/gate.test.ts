import { expect } from 'chai';
import type { Bearer } from '#domain/credits/token';
import { OutsideError, Problem } from '#domain/errors';
import { parseWallet } from '#domain/ids';
import type { SignedPayment } from '#domain/payment/payment';
import type { AnswerLookup, ChargeRequest, ChargeResult } from '#services/credits/charges';
import type { GateCall } from '#services/gate/call';
import { createGate } from '#services/gate/gate';
import { idempotencyKeyFault, requestFingerprint } from '#services/gate/idempotency';
import { RunningRequests } from '#services/gate/running-requests';
import { FreeAnswer, gateTool } from '#services/gate/tool';
import { TURNS_AT_ONCE_MAX, UNPAID_WORK_LIMIT, UnpaidWork } from '#services/gate/unpaid-work';
import { ManualClock } from '#test/support/manual-clock';
import { deferred } from '#test/support/promises';

const BEARER: Bearer = { wallet: parseWallet(`0x${'1'.repeat(40)}`)!, scope: 'purchase', code: null };
const BEARERS: Readonly<Record<string, Bearer>> = {
  good: BEARER,
  other: { ...BEARER, wallet: parseWallet(`0x${'2'.repeat(40)}`)! },
  third: { ...BEARER, wallet: parseWallet(`0x${'3'.repeat(40)}`)! },
};
const CALL: GateCall = {
  requestId: 'r1',
  caller: '127.0.0.1',
  sandbox: 'absent',
  x402Probe: 'absent',
  bearer: 'good',
  payment: { kind: 'none' },
  idempotencyKey: null,
  args: { n: 1 },
};

/** A payment of which only what names it matters here. */
const AUTHORIZATION = {
  from: BEARER.wallet,
  to: BEARER.wallet,
  value: '1',
  validAfter: '0',
  validBefore: '9',
  nonce: '0x01',
} as const;
const SIGNED: SignedPayment = {
  version: 2,
  asset: BEARER.wallet,
  authorization: AUTHORIZATION,
  signature: '0x1b',
  paymentIdentifier: null,
  resourceUrl: null,
};
const PAYMENT = { kind: 'payment', payment: SIGNED } as const;
const NONE: AnswerLookup = { kind: 'none' };

/**
 * A gate over credits that do as they are told, with a log of what was asked of them and of the
 * tool.
 */
function rig({
  balance = 5,
  charge,
  run,
  isCached = false,
  fault = null,
  isRepeat = false,
  clock = new ManualClock(),
  find = () => ({ kind: 'none' }),
}: {
  balance?: number;
  isCached?: boolean;
  fault?: Problem | null;
  /** Whether the payment of a call has begun to pay for it. */
  isRepeat?: boolean;
  clock?: ManualClock;
  find?: () => AnswerLookup;
  charge?: () => ChargeResult;
  run?: () => Promise<object>;
} = {}) {
  const steps: string[] = [];
  const errors: object[] = [];
  const charged: ChargeRequest[] = [];
  const step = <T>(name: string, result: T): T => {
    steps.push(name);
    return result;
  };
  const gate = createGate({
    unpaid: new UnpaidWork(clock),
    tools: {
      double: gateTool<number>({
        credits: 2,
        exampleBody: '{"example":true}',
        parse: (raw) => {
          steps.push('parse');
          const { n } = raw as { n: unknown };
          return typeof n === 'number'
            ? { kind: 'parsed', args: n }
            : { kind: 'invalid', message: 'n must be a number' };
        },
        run: async (n) => {
          steps.push('run');
          return run === undefined ? { doubled: 2 * n } : run();
        },
        isCached: () => isCached,
        faultOf: async () => fault,
        countsUnpaid: true,
      }),
    },
    credits: {
      authenticate: async (token) => step('authenticate', BEARERS[token] ?? null),
      balanceOf: async () => step('balance', { balance, expiresAtMs: null }),
      findAnswer: async () => step('find', find()),
      charge: async (request: ChargeRequest) => {
        const { credits, render } = request;
        steps.push('charge');
        charged.push(request);
        const paid = { creditsUsed: credits, creditsRemaining: balance - credits };
        return charge?.() ?? { kind: 'charged', body: render(paid), madeAtMs: 7, ...paid };
      },
    },
    payments: {
      isRepeat: async (_, called) => {
        steps.push('repeat');
        return !(called.request instanceof Problem) && isRepeat;
      },
      run: async (payment, called) => {
        steps.push('lane');
        if (called.request instanceof Problem) return { kind: 'bad_request', problem: called.request };
        return { kind: 'payment_refused', reason: 'from the lane', payment };
      },
      buyCredits: async (payment) => ({ kind: 'payment_refused', reason: 'from the lane', payment }),
    },
    log: { error: (facts) => void errors.push(facts) },
  });
  return {
    gate,
    steps,
    errors,
    charged,
    run: (call: Partial<GateCall> = {}) => gate.run('double', { ...CALL, ...call }),
  };
}

describe('gate', () => {
  it('takes the steps of the credits lane in their order', async () => {
    const { run, steps } = rig();
    expect(await run({ idempotencyKey: 'k' })).to.deep.equal({
      kind: 'answered',
      body: '{"doubled":2,"paid":{"credits_used":2,"credits_remaining":3}}',
      nextRefreshS: null,
      replayed: false,
      madeAtMs: 7,
    });
    expect(steps).to.deep.equal(['authenticate', 'parse', 'find', 'balance', 'run', 'charge']);
  });

  it('gives a repeat its answer also if the first took the last credits at another door meanwhile', async () => {
    const found = { kind: 'found', body: '{"first":true}', madeAtMs: 7 } as const;
    let looked = 0;
    const { run, steps } = rig({ balance: 0, find: () => (++looked === 1 ? { kind: 'none' } : found) });
    const { kind, ...rest } = (await run({ idempotencyKey: 'k' })) as { kind: string };
    expect(kind).to.equal('answered');
    expect(rest).to.include({ body: '{"first":true}', replayed: true });
    expect(steps).to.deep.equal(['authenticate', 'parse', 'find', 'balance', 'find']);
  });

  it('neither debits nor keeps an answer that is free', async () => {
    let runs = 0;
    const { run, steps } = rig({ run: async () => new FreeAnswer(202, { verdict: 'QUEUED', run: ++runs }, 30) });
    for (const nth of [1, 2]) {
      expect(await run({ idempotencyKey: 'k' })).to.deep.equal({
        kind: 'free',
        status: 202,
        body: `{"verdict":"QUEUED","run":${nth}}`,
        nextRefreshS: null,
        retryAfterS: 30,
      });
    }
    expect(steps).to.not.include('charge');
  });

  it('asks nobody for the free switches, and sandbox goes before all', async () => {
    const { run, steps } = rig();
    const example = { kind: 'example', body: '{"example":true}' };
    expect(await run({ sandbox: 'set' })).to.deep.equal(example);
    expect(
      await run({ sandbox: 'set', x402Probe: 'malformed', args: new Problem('malformed_request', 'x') }),
    ).to.deep.equal(example);
    expect(await run({ x402Probe: 'set', sandbox: 'malformed' })).to.include({ code: 'payment_required' });
    expect(await run({ sandbox: 'malformed' })).to.have.property('kind', 'bad_request');
    expect(await run({ x402Probe: 'malformed', bearer: null })).to.have.property('kind', 'bad_request');
    expect(steps).to.deep.equal([]);
  });

  it('demands payment before it looks at parameters', async () => {
    const { run, steps } = rig();
    const args = new Problem('invalid_parameter', 'broken');
    expect(await run({ bearer: null, args })).to.include({ code: 'payment_required' });
    expect(await run({ bearer: 'bad', args })).to.include({ code: 'invalid_token' });
    expect(await run({ bearer: '', args })).to.include({ code: 'invalid_token' });
    expect(steps.filter((step) => step !== 'authenticate')).to.deep.equal([]);
  });

  it('says with its terms what it would refuse even with a payment, where that is known', async () => {
    const { run, steps } = rig({ fault: new Problem('outcome_required', 'no such outcome', { candidates: ['Yes'] }) });
    const unpaid = { bearer: null } as const;
    const form = await run({ ...unpaid, args: { n: 'x' } });
    expect(form).to.include({ kind: 'payment_required', code: 'payment_required' });
    expect(form).to.have.nested.property('fault.message', 'n must be a number');
    expect(await run(unpaid)).to.have.nested.property('fault.code', 'outcome_required');
    expect(await run({ bearer: 'bad' })).to.have.nested.property('fault.code', 'outcome_required');
    expect(await run({ ...unpaid, idempotencyKey: 'a\nb' })).to.have.nested.property('fault.code', 'invalid_parameter');
    expect(steps).to.not.include('run');
  });

  it('gives the mere terms to a call without parameters, or that it knows nothing against', async () => {
    const { run } = rig();
    for (const call of [{ args: {} }, {}, { args: { n: 'x' }, x402Probe: 'set' }] as const) {
      expect(await run({ bearer: null, ...call })).to.not.have.property('fault');
    }
  });

  it('hands a payment on with or without a token that is no good, and refuses one that cannot be understood', async () => {
    const { run, steps } = rig();
    expect(await run({ bearer: null, payment: PAYMENT })).to.include({
      kind: 'payment_refused',
      reason: 'from the lane',
    });
    expect(await run({ bearer: 'bad', payment: PAYMENT })).to.include({ kind: 'payment_refused' });
    const malformed = { kind: 'malformed', reason: 'no base64' } as const;
    expect(await run({ bearer: null, payment: malformed })).to.have.nested.property(
      'problem.code',
      'invalid_parameter',
    );
    expect(steps).to.deep.equal(['parse', 'find', 'lane', 'authenticate', 'parse', 'find', 'lane']);
  });

  it('sells credits for a payment alone, and tells the terms to whoever asks', async () => {
    const { gate, steps } = rig();
    const none = { kind: 'none' } as const;
    const call = { requestId: 'r', caller: 'c', x402Probe: 'absent', payment: none, idempotencyKey: null } as const;
    expect(await gate.buyCredits(call)).to.include({ kind: 'payment_required' });
    expect(await gate.buyCredits({ ...call, x402Probe: 'set', payment: PAYMENT })).to.include({
      kind: 'payment_required',
    });
    expect(await gate.buyCredits({ ...call, x402Probe: 'malformed' })).to.include({ kind: 'bad_request' });
    expect(await gate.buyCredits({ ...call, payment: { kind: 'malformed', reason: '' } })).to.include({
      kind: 'bad_request',
    });
    expect(steps).to.deep.equal([]);
    expect(await gate.buyCredits({ ...call, payment: PAYMENT })).to.include({ kind: 'payment_refused' });
  });

  it('takes a valid token before a payment', async () => {
    const { run, steps } = rig();
    expect(await run({ payment: PAYMENT })).to.include({ kind: 'answered' });
    expect(steps).to.deep.equal(['authenticate', 'parse', 'repeat', 'find', 'balance', 'run', 'charge']);
  });

  it('parses the parameters of a call once, whichever lanes look at it', async () => {
    const asked = async (balance: number, call: Partial<GateCall>) => {
      const { run, steps } = rig({ balance });
      await run({ payment: PAYMENT, ...call });
      return steps.filter((step) => ['repeat', 'parse', 'lane'].includes(step));
    };
    expect(await asked(5, { bearer: null })).to.deep.equal(['parse', 'lane']);
    expect(await asked(1, {})).to.deep.equal(['parse', 'repeat', 'lane']);
    expect(await asked(5, { bearer: null, args: { n: 'x' } })).to.deep.equal(['parse', 'lane']);
  });

  it('keeps a debit that a payment came with under it, and under a key that came too', async () => {
    const { run, charged } = rig();
    await run();
    await run({ payment: PAYMENT });
    await run({ payment: PAYMENT, idempotencyKey: 'k' });
    const [plain, ...beside] = charged.map(({ idempotency }) => idempotency);
    expect(plain).to.equal(null);
    expect(beside.map((one) => one?.key)).to.deep.equal([null, 'k']);
    for (const one of beside) {
      expect(one?.payment).to.include({ wallet: AUTHORIZATION.from, code: 'payment' });
      expect(one?.payment?.key).to.match(/^[0-9a-f]{64}$/);
    }
  });

  it('has one answer for copies with one payment that come at once', async () => {
    const { run, steps } = rig();
    const copies = await Promise.all([1, 2, 3].map(() => run({ payment: PAYMENT })));
    expect(copies.map((copy) => copy.kind === 'answered' && copy.replayed)).to.deep.equal([false, true, true]);
    expect(steps.filter((step) => step === 'charge')).to.have.length(1);
  });

  it('settles nothing for a call that was debited beside this payment, with a token or without', async () => {
    for (const bearer of ['good', 'bad', null]) {
      const { run, steps } = rig({ balance: 0, find: () => ({ kind: 'found', body: '{"first":true}', madeAtMs: 7 }) });
      expect(await run({ bearer, payment: PAYMENT })).to.include({ body: '{"first":true}', replayed: true });
      expect(steps).to.not.include('lane');
    }
  });

  it('debits nothing for the repeat of a payment that comes with a valid token', async () => {
    const { run, steps } = rig({ isRepeat: true });
    expect(await run({ payment: PAYMENT })).to.include({ reason: 'from the lane' });
    expect(steps).to.deep.equal(['authenticate', 'parse', 'repeat', 'find', 'lane']);
  });

  it('lets a payment without a token wait for the debit that the same payment came with, whichever came first', async () => {
    const working = deferred<object>();
    const rigged = rig({
      run: () => working.promise,
      find: () => (rigged.charged.length === 0 ? NONE : { kind: 'found', body: '{"first":true}', madeAtMs: 7 }),
    });
    const asked = [null, 'good', null, 'good'].map((bearer) => rigged.run({ bearer, payment: PAYMENT }));
    await new Promise(setImmediate);
    expect(rigged.steps).to.include('run').and.not.include('lane');
    working.resolve({ doubled: 2 });
    const [before, , after] = await Promise.all(asked);
    for (const copy of [before, after]) expect(copy).to.include({ body: '{"first":true}', replayed: true });
    expect([rigged.charged.length, rigged.steps.includes('lane')]).to.deep.equal([1, false]);
  });

  it('looks up no payment of a call without a valid token, nor one that cannot be understood', async () => {
    const { run, steps } = rig({ isRepeat: true });
    await run({ bearer: 'bad', payment: PAYMENT });
    expect(await run({ payment: { kind: 'malformed', reason: 'no base64' } })).to.include({ kind: 'answered' });
    expect(steps).to.not.include('repeat');
  });

  it('takes the payment beside a token whose credits do not suffice, wherever that shows, and debits nothing', async () => {
    const insufficient = () => ({ kind: 'insufficient', balance: 0, required: 2 }) as const;
    const [before, after] = [rig({ balance: 1 }), rig({ isCached: true, charge: insufficient })];
    for (const { run, steps } of [before, after]) {
      for (const idempotencyKey of [null, 'k']) {
        expect(await run({ payment: PAYMENT, idempotencyKey })).to.include({ reason: 'from the lane' });
        expect(await run({ idempotencyKey }), 'without one').to.include({ code: 'insufficient_credits' });
      }
      expect(steps.filter((step) => step === 'lane')).to.have.length(2);
    }
    const malformed = { kind: 'malformed', reason: 'no base64' } as const;
    expect(await before.run({ payment: malformed })).to.have.nested.property('problem.code', 'invalid_parameter');
  });

  it('refuses faulty parameters of a known wallet before anything is looked up or run', async () => {
    const { run, steps } = rig();
    const problem = new Problem('malformed_request', 'broken');
    expect(await run({ args: problem })).to.deep.equal({ kind: 'bad_request', problem });
    expect(await run({ args: { n: 'x' } })).to.have.nested.property('problem.message', 'n must be a number');
    expect(await run({ idempotencyKey: 'a\nb' })).to.have.nested.property('problem.code', 'invalid_parameter');
    expect(steps).not.to.include('run').and.not.include('balance');
  });

  it('does not run a tool that cannot be paid for', async () => {
    const { run, steps } = rig({ balance: 1 });
    const result = await run();
    expect(result).to.include({ kind: 'payment_required', code: 'insufficient_credits' });
    expect(result).to.have.property('credits').deep.equal({ balance: 1, required: 2 });
    expect(steps).not.to.include('run');
  });

  it('looks at no balance before work that is at hand: the debit decides', async () => {
    const { run, steps } = rig({ isCached: true });
    expect(await run()).to.include({ kind: 'answered' });
    expect(steps).to.deep.equal(['authenticate', 'parse', 'run', 'charge']);
    const poor = rig({ isCached: true, charge: () => ({ kind: 'insufficient', balance: 1, required: 2 }) });
    expect(await poor.run()).to.deep.equal(await rig({ balance: 1 }).run());
  });

  it('says that credits are exhausted before it says what else was wrong with work at hand', async () => {
    const problem = new Problem('unknown_market', 'no such market');
    const failing = (balance: number) => rig({ isCached: true, balance, run: () => Promise.reject(problem) }).run();
    expect(await failing(1)).to.deep.equal(await rig({ balance: 1 }).run());
    expect(await failing(2)).to.deep.equal({ kind: 'failed', problem });
  });

  it('gives no answer where the debit was refused after the work', async () => {
    const lost = await rig({ charge: () => ({ kind: 'insufficient', balance: 0, required: 2 }) }).run();
    expect(lost).to.include({ kind: 'payment_required', code: 'insufficient_credits' }).and.not.have.property('body');
    expect(await rig({ charge: () => ({ kind: 'conflict' }) }).run()).to.have.nested.property(
      'problem.code',
      'idempotency_conflict',
    );
    const replayed = { kind: 'replayed', body: '{}', madeAtMs: 3 } as const;
    expect(await rig({ charge: () => replayed }).run()).to.include({ body: '{}', replayed: true, madeAtMs: 3 });
  });

  it('says that the store is away, when and with what to repeat, and what becomes of a debit without a key', async () => {
    const away = (failure: 'retryable' | 'unknown') =>
      rig({ run: () => Promise.reject(new OutsideError('store', 'secret', { failure })) }).run();
    for (const failure of ['retryable', 'unknown'] as const) {
      const result = await away(failure);
      expect(result).to.include({ kind: 'failed' });
      expect(result).to.have.nested.property('problem.code', 'store_unavailable');
      expect(result).to.have.nested.property('problem.retryAfterS', 5);
      expect(result)
        .to.have.nested.property('problem.message')
        .that.matches(/with the same payment or Idempotency-Key.*without a key are given back/)
        .and.does.not.match(/nothing was charged|secret/);
    }
  });

  it('does not charge what failed, and keeps what it was from the caller', async () => {
    const problem = new Problem('unknown_market', 'no such market');
    const expected = rig({ run: () => Promise.reject(problem) });
    expect(await expected.run()).to.deep.equal({ kind: 'failed', problem });
    expect(expected.errors).to.deep.equal([]);
    const cause = new Error('secret');
    const { run, steps, errors } = rig({ run: () => Promise.reject(cause) });
    const result = await run();
    expect(result).to.have.nested.property('problem.code', 'internal_error');
    expect(JSON.stringify(result)).not.to.include('secret');
    expect(errors).to.deep.equal([{ requestId: 'r1', tool: 'double', err: cause }]);
    expect(steps).not.to.include('charge');
  });

  it('says when an answer is made anew, also of one that was kept', async () => {
    const answer = { next_refresh_at: '2026-07-14T04:30:00Z' };
    const nextRefreshS = Date.parse(answer.next_refresh_at) / 1e3;
    expect(await rig({ run: async () => answer }).run()).to.include({ kind: 'answered', nextRefreshS });
    expect(await rig({ run: async () => new FreeAnswer(200, answer) }).run()).to.include({
      kind: 'free',
      nextRefreshS,
    });
    const stored = rig({ charge: () => ({ kind: 'replayed', body: JSON.stringify(answer), madeAtMs: 3 }) });
    expect(await stored.run()).to.include({ replayed: true, nextRefreshS });
  });

  it('appends paid to an answer that has nothing else', async () => {
    const result = await rig({ run: async () => ({}) }).run();
    expect(result).to.include({ body: '{"paid":{"credits_used":2,"credits_remaining":3}}' });
  });
});

describe('idempotency', () => {
  it('names a request by what it means, not by how it is written', () => {
    const name = requestFingerprint('t', { a: 1, b: { c: [1, { e: 2, d: 3 }] } });
    expect(requestFingerprint('t', { b: { c: [1, { d: 3, e: 2 }] }, a: 1, z: undefined })).to.equal(name);
    expect(name).to.match(/^[0-9a-f]{64}$/);
    for (const other of [{ a: 2 }, { a: '1' }, { a: 1, b: null }, { b: { c: [{ e: 2, d: 3 }, 1] }, a: 1 }]) {
      expect(requestFingerprint('t', other)).not.to.equal(name);
    }
    expect(requestFingerprint('u', { a: 1 })).not.to.equal(requestFingerprint('t', { a: 1 }));
  });

  it('takes 1 to 255 printable ASCII characters for a key', () => {
    for (const key of ['a', ' ', '~', 'x'.repeat(255)]) expect(idempotencyKeyFault(key), key).to.equal(null);
    for (const key of ['', 'x'.repeat(256), '\t', 'a\n', '\x7f', 'é', '\u{1f600}']) {
      expect(idempotencyKeyFault(key), key).to.not.equal(null);
    }
  });
});

describe('work at the venue that is not charged', () => {
  const { max, windowS } = UNPAID_WORK_LIMIT;
  const limited = { kind: 'failed', problem: { code: 'rate_limited', retryAfterS: windowS } };
  const shown = (result: object) => {
    const { kind, problem } = result as { kind: string; problem?: Problem };
    return problem === undefined
      ? { kind }
      : { kind, problem: { code: problem.code, retryAfterS: problem.retryAfterS } };
  };

  const ills: readonly [what: string, ill: Parameters<typeof rig>[0]][] = [
    ['a market that there is not', { run: () => Promise.reject(new Problem('unknown_market', 'none')) }],
    ['a venue that is away', { run: () => Promise.reject(new Problem('venue_unavailable', 'away')) }],
    ['a balance that pays for one of many', { charge: () => ({ kind: 'insufficient', balance: 0, required: 2 }) }],
    ['a client that leaves', { charge: () => ({ kind: 'gone' }) }],
  ];
  for (const [what, ill] of ills) {
    it(`is bounded for a bearer and for an address: ${what}`, async () => {
      const clock = new ManualClock();
      const { run, steps } = rig({ clock, ...ill });
      for (let n = 0; n < max; n++) expect(shown(await run())).to.not.deep.equal(limited);
      const runs = () => steps.filter((step) => step === 'run').length;
      expect(runs()).to.equal(max);
      expect(shown(await run())).to.deep.equal(limited);
      expect(shown(await run({ caller: '192.0.2.7' })), 'wherever it calls from').to.deep.equal(limited);
      expect(shown(await run({ bearer: 'other' })), 'another one at its address').to.deep.equal(limited);
      expect(runs(), 'the venue was not asked').to.equal(max);
      await run({ bearer: 'other', caller: '192.0.2.7' });
      expect(runs(), 'elsewhere').to.equal(max + 1);
      clock.advance(windowS * 1e3 + 1);
      await run();
      expect(runs(), 'a minute later').to.equal(max + 2);
    });
  }

  it('holds nobody at the same address who was charged for his last work, and nothing that is at hand', async () => {
    let isThere = true;
    const clock = new ManualClock();
    const answer = async () => {
      if (!isThere) throw new Problem('unknown_market', 'none');
      return {};
    };
    const { run } = rig({ clock, run: answer });
    expect(await run({ bearer: 'other' })).to.include({ kind: 'answered' });
    isThere = false;
    for (let n = 0; n < max; n++) await run();
    expect(shown(await run({ bearer: 'third' }))).to.deep.equal(limited);
    isThere = true;
    expect(await run({ bearer: 'other' })).to.include({ kind: 'answered' });
    expect(shown(await run()), 'who has used it up').to.deep.equal(limited);
    isThere = false;
    for (let n = 0; n < max; n++)
      expect(shown(await run({ bearer: 'other' }))).to.have.nested.property('problem.code', 'unknown_market');
    expect(shown(await run({ bearer: 'other' }))).to.deep.equal(limited);
  });

  it('is not counted where it is answered for free switches, refused unread or paid', async () => {
    const { run } = rig();
    for (let n = 0; n < 2 * max; n++) {
      expect(await run()).to.include({ kind: 'answered' });
      await run({ sandbox: 'set' });
      await run({ args: {} });
    }
    expect(await run()).to.include({ kind: 'answered' });
    const poor = rig({ balance: 1 });
    for (let n = 0; n < 2 * max; n++) expect(await poor.run()).to.include({ kind: 'payment_required' });
    const held = rig({ isCached: true, charge: () => ({ kind: 'insufficient', balance: 0, required: 2 }) });
    for (let n = 0; n < 2 * max; n++) expect(await held.run()).to.include({ kind: 'payment_required' });
  });

  it('goes by turns: of one bearer so much at once, and its others wait behind it', async () => {
    const held: (() => void)[] = [];
    const run = () => new Promise<object>((resolve) => held.push(() => resolve({})));
    const { run: call } = rig({ run });
    const mine = Array.from({ length: TURNS_AT_ONCE_MAX + 5 }, () => call());
    await new Promise(setImmediate);
    expect(held).to.have.length(TURNS_AT_ONCE_MAX);
    const other = call({ bearer: 'other' });
    await new Promise(setImmediate);
    expect(held, 'of another bearer').to.have.length(TURNS_AT_ONCE_MAX + 1);
    held.at(-1)!();
    expect(await other).to.include({ kind: 'answered' });
    held[0]!();
    await mine[0];
    await new Promise(setImmediate);
    expect(held).to.have.length(TURNS_AT_ONCE_MAX + 2);
    for (let n = 0; n < held.length; n++) {
      held[n]!();
      await new Promise(setImmediate);
    }
    for (const one of await Promise.all(mine)) expect(one).to.include({ kind: 'answered' });
  });
});

describe('running requests', () => {
  it('runs beyond its limit without joining, and forgets what is done', async () => {
    const running = new RunningRequests<number>(1);
    let runs = 0;
    const run = async () => ++runs;
    const first = running.join('a', 'f', run);
    expect(running.join('a', 'f', run).kind).to.equal('joined');
    expect(running.join('a', 'g', run).kind).to.equal('conflict');
    expect(running.join('b', 'f', run).kind).to.equal('started');
    expect(running.join('b', 'g', run).kind).to.equal('started');
    expect(first.kind === 'started' && (await first.result)).to.equal(1);
    expect(running.join('a', 'g', run).kind).to.equal('started');
    expect(runs).to.equal(4);
  });

  it('tells a failure to everybody who waits, and lets the next one try', async () => {
    const running = new RunningRequests<number>();
    const results = [1, 2].map(() => running.join('a', 'f', () => Promise.reject(new Error('no'))));
    const outcomes = await Promise.allSettled(results.map((joined) => joined.kind !== 'conflict' && joined.result));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(running.join('a', 'g', async () => 1).kind).to.equal('started');
  });
});
