import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { systemRandom } from '#adapters/process/system-random';
import { parseToken } from '#domain/credits/token';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { type PaymentDemand, type PaymentKey, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { StoreKey } from '#ports/store-key';
import { SECRET_KEY_LENGTH_MIN, WRONG_GUESSES_MAX } from '#services/gate/buyer-proof';
import { createPaymentLane } from '#services/gate/payment-lane';
import { LIST_REPEAT_MS, REPEAT_MS } from '#services/gate/repeats';
import { gateTool } from '#services/gate/tool';
import { ToolCall } from '#services/gate/tool-call';
import { OTHER_REQUEST } from '#services/payments/claim';
import type { PaidWork, PaymentOutcome } from '#services/payments/contract';
import { createPackTokens } from '#services/payments/pack-token';
import type { NamedPurchase } from '#services/payments/purchase-names';
import { createPurchaseSecrets } from '#services/payments/purchase-secret';
import { REPEAT_TO_BUYER_MS } from '#services/payments/work';
import { STORE_KEY } from '#test/support/store-secrets';

const START_MS = 1_800_000_000_000;
const VALID_BEFORE_MS = START_MS + 120_000;
const WALLET = `0x${'ab'.repeat(20)}` as WalletAddress;
const AUTHORIZATION = {
  from: WALLET,
  to: '0x2' as WalletAddress,
  value: '20000',
  validAfter: '0',
  validBefore: String(VALID_BEFORE_MS / 1e3),
  nonce: `0x${'01'.repeat(32)}`,
};
const PAYMENT = { asset: '0x1', authorization: AUTHORIZATION, paymentIdentifier: null } as SignedPayment;
const DEMAND: PaymentDemand = {
  resourceUrl: 'https://preflight.example/api/credits',
  description: 'credits',
  amountMicros: 5_000_000n,
  asset: '0x1' as WalletAddress,
  payTo: '0x2' as WalletAddress,
};
const MINE = 'key-of-the-buyer-that-nobody-guesses';
const packTokens = createPackTokens(STORE_KEY);
const CUT = `tk_${WALLET}_***`;

/** Of a store whose key was renewed since it issued secrets. */
const EARLIER_KEY: StoreKey = { ...STORE_KEY, mac: (purpose, text) => STORE_KEY.mac(purpose, `earlier ${text}`) };

interface ShopOptions {
  /** Requests that come while the first is in work: their outcome is that of the first. */
  readonly joined?: boolean;
  /** The secret of a row from before the rule, when any key was one. */
  readonly stored?: string;
  readonly storedBody?: string;
}

/**
 * A lane over payments that settle at START_MS, and keep the secret of the first request as the
 * durable row does.
 */
function shop({ joined = false, stored, storedBody }: ShopOptions = {}) {
  let nowMs = START_MS;
  let isOther = false;
  let boughtBy: PaymentKey | null = null;
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs };
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  let first: { readonly secret: string | null } | null = stored === undefined ? null : { secret: hash(stored) };
  const requested: PaidWork[] = [];
  const marks: boolean[] = [];
  const asked: (NamedPurchase | undefined)[] = [];
  const pay = async (_: SignedPayment, work: PaidWork): Promise<PaymentOutcome> => {
    requested.push(work);
    if (isOther) return OTHER_REQUEST;
    const began = first === null ? ({ began: true } as const) : {};
    const replayed = first !== null && !joined;
    first ??= work;
    const pack = { ok: true, token: packTokens.placeholderFor(WALLET), wallet: WALLET, balance: 500 };
    const body = storedBody ?? JSON.stringify(work.kind === 'pack' ? pack : { ok: true });
    return {
      kind: 'answered',
      ...began,
      body,
      transaction: '0xaa',
      replayed,
      secret: first.secret,
      settledAtMs: START_MS,
      ...(boughtBy === null ? {} : { boughtBy }),
    };
  };
  const hasBegun = async (_: SignedPayment, request: string, named?: NamedPurchase) => {
    asked.push(named);
    return stored !== undefined || requested.some((work) => work.fingerprint === request);
  };
  const payments = { pay, hasBegun };
  const purchaseSecrets = createPurchaseSecrets(STORE_KEY, { clock, random: systemRandom });
  const lane = createPaymentLane({ payments, demandFor: () => DEMAND, packTokens, purchaseSecrets, clock });
  const tool = gateTool({
    credits: 1,
    exampleBody: '{}',
    parse: (raw) => (raw === 'x' ? { kind: 'invalid', message: 'no' } : { kind: 'parsed', args: {} }),
    run: async () => ({ ok: true }),
  });
  const call = { requestId: 'r', sandbox: 'absent', x402Probe: 'absent', bearer: null } as const;
  return {
    requested,
    marks,
    asked,
    issue: purchaseSecrets.issue,
    issueEarlier: createPurchaseSecrets(EARLIER_KEY, { clock, random: systemRandom }).issue,
    refuseAsOther: (is: boolean) => {
      isOther = is;
    },
    bought: (by: PaymentKey) => {
      boughtBy = by;
    },
    passed: (ms: number) => {
      nowMs = START_MS + ms;
    },
    async buy(idempotencyKey: string | null, payment = PAYMENT, caller = 'c'): Promise<string> {
      const result = await lane.buyCredits(payment, { requestId: 'r', caller, idempotencyKey });
      if (result.kind === 'bad_request') return result.problem.message;
      return result.kind === 'paid' ? (JSON.parse(result.body) as { token: string }).token : result.kind;
    },
    isRepeat: (name: string, args: unknown = {}, idempotencyKey: string | null = null, payment = PAYMENT) => {
      const given = { ...call, caller: 'c', payment: { kind: 'payment', payment }, idempotencyKey } as const;
      return lane.isRepeat(payment, new ToolCall(name, tool, { ...given, args }));
    },
    async ask(name: string, idempotencyKey: string | null = null, payment = PAYMENT, caller = 'c'): Promise<string> {
      const given = { ...call, caller, payment: { kind: 'payment', payment }, idempotencyKey, args: {} } as const;
      const result = await lane.run(payment, new ToolCall(name, tool, given));
      if (result.kind === 'paid') marks.push(result.replayed);
      return result.kind === 'payment_refused' ? `${result.reason} ${result.transaction}` : result.kind;
    },
  };
}

const TOKEN_SECRET = Buffer.from(packTokens.secretOf(paymentKey(PAYMENT))).toString('base64url');
const TOKEN = `tk_${WALLET}_${TOKEN_SECRET}`;

describe('a purchase of credits', () => {
  it('shows the same token whenever it may be shown, though none is kept', () => {
    expect(parseToken(TOKEN)).to.deep.equal({ wallet: WALLET, secret: TOKEN_SECRET });
  });

  it('that carries nothing secret shows its token once, to the request that began it', async () => {
    const { buy } = shop();
    expect(await buy(null)).to.equal(TOKEN);
    expect(await buy(null)).to.equal(CUT);
  });

  it('shows no token to a copy that joined it: an observer can be here before the facilitator is back', async () => {
    const { buy } = shop({ joined: true });
    expect(await buy(null)).to.equal(TOKEN);
    expect(await buy(null)).to.equal(CUT);
  });

  it('shows it again to whoever has the Idempotency-Key that it was made with, and to nobody else', async () => {
    const { buy, passed } = shop();
    expect(await buy(MINE)).to.equal(TOKEN);
    expect(await buy(null)).to.equal('payment_refused');
    expect(await buy('guessed-by-an-observer')).to.equal('payment_refused');
    passed(REPEAT_TO_BUYER_MS);
    expect(await buy(MINE)).to.equal(TOKEN);
    passed(REPEAT_TO_BUYER_MS + 1);
    expect(await buy(MINE)).to.equal('payment_refused');
  });

  it('takes the secret of the terms, which the client sends back, for such a key', async () => {
    const { buy, issue } = shop();
    const echoing = { ...PAYMENT, purchaseSecret: issue() };
    expect(await buy(MINE, echoing)).to.equal(TOKEN);
    expect(await buy(null)).to.equal('payment_refused');
    expect(await buy(null, { ...PAYMENT, purchaseSecret: issue() })).to.equal('payment_refused');
    expect(await buy(null, echoing)).to.equal(TOKEN);
  });

  it('shows it to whoever has one of its secrets, where it was made with several', async () => {
    const { buy, issue, requested } = shop();
    const [named, echoed] = [{ paymentIdentifier: 'id-of-the-buyer-xyz' }, { purchaseSecret: issue() }];
    expect(await buy(MINE, { ...PAYMENT, ...named, ...echoed })).to.equal(TOKEN);
    expect(await buy(MINE)).to.equal(TOKEN);
    for (const one of [named, echoed]) expect(await buy(null, { ...PAYMENT, ...one })).to.equal(TOKEN);
    expect(await buy(null)).to.equal('payment_refused');
    expect(await buy('another-key-that-nobody-guesses', { ...PAYMENT, purchaseSecret: issue() })).to.equal(
      'payment_refused',
    );
    expect(requested[0]?.secret?.split(' ')).to.have.length(3);
  });

  it('does not keep a short key beside another secret: it could be guessed', async () => {
    const { buy, issue } = shop();
    expect(await buy('short', { ...PAYMENT, purchaseSecret: issue() })).to.equal(TOKEN);
    expect(await buy('short', { ...PAYMENT, paymentIdentifier: 'id-of-the-buyer-xyz' })).to.equal('payment_refused');
  });

  it('keeps no secret that was not issued here: it may be a constant of its client', async () => {
    const { buy, requested } = shop();
    const echoing = { ...PAYMENT, purchaseSecret: 'A'.repeat(43) };
    await buy(null, echoing);
    expect(requested[0]?.secret).to.equal(null);
    expect(await buy(null, echoing)).to.equal(CUT);
  });

  it('takes a payment-identifier for such a key', async () => {
    const { buy } = shop();
    const named = { ...PAYMENT, paymentIdentifier: 'id-of-the-buyer-xyz' };
    expect(await buy(null, named)).to.equal(TOKEN);
    expect(await buy(null, named)).to.equal(TOKEN);
    expect(await buy(null)).to.equal('payment_refused');
  });

  it('is refused, and not charged, with a key that could be guessed or is none', async () => {
    const { buy, requested, issue } = shop();
    expect(await buy('x'.repeat(SECRET_KEY_LENGTH_MIN - 1))).to.match(/at least 16 characters.* nothing was charged/);
    expect(await buy('\u0001'.repeat(20))).to.match(/1 to 255 printable/);
    const foreign = { ...PAYMENT, purchaseSecret: 'A'.repeat(43) };
    expect(await buy('short', foreign), 'beside a secret that is not ours').to.match(/at least 16 characters/);
    expect(requested).to.deep.equal([]);
    expect(await buy('short', { ...PAYMENT, purchaseSecret: issue() })).to.equal(TOKEN);
  });

  it('compares a bounded number of keys of one caller, and then not even the right one', async () => {
    const { buy, passed } = shop();
    await buy(MINE);
    for (let n = 1; n < WRONG_GUESSES_MAX; n++)
      expect(await buy(`wrong-key-number-${n}-of-many`)).to.equal('payment_refused');
    expect(await buy(MINE)).to.equal(TOKEN);
    await buy('the-last-wrong-one-of-them');
    expect(await buy(MINE)).to.equal('payment_refused');
    expect(await buy(MINE, PAYMENT, 'the buyer, at another address')).to.equal(TOKEN);
    passed(3_600_001);
    expect(await buy(MINE)).to.equal(TOKEN);
  });

  it('shows it to its buyer with the secret of the terms, however much was guessed beside him', async () => {
    const { buy, issue } = shop();
    const echoing = { ...PAYMENT, purchaseSecret: issue() };
    await buy(null, echoing);
    for (let n = 0; n <= WRONG_GUESSES_MAX; n++) await buy(`wrong-key-number-${n}-of-many`);
    expect(await buy(null, echoing)).to.equal(TOKEN);
  });

  it('of before keeps what it had: a token in its answer, and a secret of any length', async () => {
    const token = `tk_${WALLET}_${'s'.repeat(43)}`;
    const storedBody = JSON.stringify({ ok: true, token, wallet: WALLET });
    const { buy, issue } = shop({ stored: 'short', storedBody });
    expect(await buy(null)).to.equal('payment_refused');
    expect(await buy('short', { ...PAYMENT, purchaseSecret: issue() })).to.equal(token);
  });

  it('is repeated to whoever sends the secret of terms that an earlier key of the store made, and keeps no such one', async () => {
    const secret = shop().issueEarlier();
    const echoing = { ...PAYMENT, purchaseSecret: secret };
    const sold = shop({ stored: secret });
    expect(await sold.ask('preflight_trade', null, echoing)).to.equal('paid');
    expect(await sold.ask('preflight_trade')).to.equal('not_the_buyer undefined');
    expect(await sold.buy('short', echoing), 'with the short key of the first request').to.equal(TOKEN);
    expect(await sold.buy('short')).to.equal('payment_refused');
    for (let n = 0; n < WRONG_GUESSES_MAX; n++) {
      await sold.ask('preflight_trade', null, { ...PAYMENT, purchaseSecret: `made up ${n}` });
    }
    expect(await sold.ask('preflight_trade', null, echoing), 'guesses are counted').to.equal('not_the_buyer undefined');
    const { ask, requested } = shop();
    await ask('preflight_trade', null, echoing);
    expect(requested.map(({ secret: stored }) => stored)).to.deep.equal([null]);
  });

  it('asks its payer alone for names of the purchase that a repeat brings', async () => {
    const { ask, requested } = shop();
    await ask('preflight_trade', MINE);
    const { secret } = requested[0]!;
    await ask('preflight_trade', 'a key that a stranger made up');
    expect(requested.map(({ isBuyer }) => isBuyer(secret))).to.deep.equal([true, false]);
  });

  it('shows no token when the key of the store is another one since: it would not be the one that was bought', () => {
    const body = JSON.stringify({ token: `tk_${WALLET}_***0123456789abcdef`, wallet: WALLET });
    expect(JSON.parse(packTokens.show(body, paymentKey(PAYMENT))).token).to.equal(CUT);
  });
});

describe('the answer of a settled payment', () => {
  const OVER = 'repeat_window_over 0xaa';
  const NOT_THE_BUYER = 'not_the_buyer undefined';

  for (const tool of ['preflight_trade', 'preflight_copy']) {
    it(`of ${tool} is repeated for 24 hours where it carried no secret, and for 7 days to its buyer alone`, async () => {
      const open = shop();
      expect(await open.ask(tool)).to.equal('paid');
      open.passed(REPEAT_MS);
      expect(await open.ask(tool)).to.equal('paid');
      open.passed(REPEAT_MS + 1);
      expect(await open.ask(tool)).to.equal(OVER);
      const { ask, passed } = shop();
      expect(await ask(tool, MINE)).to.equal('paid');
      expect(await ask(tool)).to.equal(NOT_THE_BUYER);
      passed(REPEAT_TO_BUYER_MS);
      expect(await ask(tool, MINE)).to.equal('paid');
      passed(REPEAT_TO_BUYER_MS + 1);
      expect(await ask(tool, MINE)).to.equal(OVER);
    });
  }

  for (const list of ['leaderboard', 'red_list']) {
    it(`of ${list} is repeated until ten minutes after validBefore where it carried no secret`, async () => {
      const { ask, passed } = shop();
      expect(await ask(list)).to.equal('paid');
      passed(VALID_BEFORE_MS - START_MS + LIST_REPEAT_MS);
      expect(await ask(list)).to.equal('paid');
      passed(VALID_BEFORE_MS - START_MS + LIST_REPEAT_MS + 1);
      expect(await ask(list)).to.equal(OVER);
    });
  }

  it('goes to nobody who guesses its request: wrong ones are counted by caller', async () => {
    const { ask, refuseAsOther } = shop();
    expect(await ask('preflight_trade')).to.equal('paid');
    refuseAsOther(true);
    for (let n = 0; n < WRONG_GUESSES_MAX; n++) await ask(`another request ${n}`);
    refuseAsOther(false);
    expect(await ask('preflight_trade')).to.equal(NOT_THE_BUYER);
    expect(await ask('preflight_trade', null, PAYMENT, 'another caller')).to.equal('paid');
  });

  it('counts the guesses of an IPv6 network as those of one caller', async () => {
    const { ask, refuseAsOther } = shop();
    const of = (host: string) => [null, PAYMENT, `2001:db8::${host}`] as const;
    expect(await ask('preflight_trade')).to.equal('paid');
    refuseAsOther(true);
    for (let n = 0; n < WRONG_GUESSES_MAX; n++) await ask(`another request ${n}`, ...of(n.toString(16)));
    refuseAsOther(false);
    expect(await ask('preflight_trade', ...of('ffff'))).to.equal(NOT_THE_BUYER);
    expect(await ask('preflight_trade', null, PAYMENT, '2001:db8:0:1::1'), 'the next network').to.equal('paid');
  });

  it('is not kept from its payer by one wrong request, however often it is sent from his address', async () => {
    const { ask, refuseAsOther } = shop();
    expect(await ask('preflight_trade')).to.equal('paid');
    refuseAsOther(true);
    for (let n = 0; n < 2 * WRONG_GUESSES_MAX; n++) await ask('another request');
    refuseAsOther(false);
    expect(await ask('preflight_trade')).to.equal('paid');
  });

  it('goes to whoever has signed another authorization for the same purchase: that is its payer', async () => {
    const { ask, buy, bought } = shop();
    await buy(MINE);
    bought(paymentKey(PAYMENT));
    const another = { ...PAYMENT, authorization: { ...AUTHORIZATION, nonce: `0x${'02'.repeat(32)}` } };
    expect(await buy(null, another)).to.equal(TOKEN);
    expect(await ask('preflight_trade', null, another)).to.equal('paid');
  });

  it('is marked as a repeat when it is one, to its buyer too', async () => {
    const { ask, marks } = shop();
    await ask('preflight_trade', MINE);
    await ask('preflight_trade', MINE);
    expect(marks).to.deep.equal([false, true]);
  });

  it('is a repeat to the same request alone, and to none that is not understood', async () => {
    const { ask, isRepeat } = shop();
    expect(await isRepeat('preflight_trade')).to.equal(false);
    await ask('preflight_trade');
    expect(await isRepeat('preflight_trade')).to.equal(true);
    for (const args of ['x', new Problem('malformed_request', 'x')]) {
      expect(await isRepeat('preflight_trade', args)).to.equal(false);
    }
    expect(await isRepeat('leaderboard')).to.equal(false);
  });

  it('is looked for by the names of its purchase too, where they can be names', async () => {
    const { isRepeat, asked } = shop();
    const paymentIdentifier = 'id-of-the-buyer-xyz';
    await isRepeat('leaderboard', {}, MINE, { ...PAYMENT, paymentIdentifier });
    await isRepeat('leaderboard', {}, 'x'.repeat(256));
    expect(asked).to.deep.equal([
      {
        operation: 'leaderboard',
        names: [
          { kind: 'idempotency_key', name: MINE },
          { kind: 'payment_identifier', name: paymentIdentifier },
        ],
      },
    ]);
  });

  it('goes to the request that began it, however long it took', async () => {
    const { ask, passed } = shop();
    passed(REPEAT_TO_BUYER_MS * 2);
    expect(await ask('leaderboard')).to.equal('paid');
  });

  it('is not repeated by a short key, which the lane leaves alone as it always did', async () => {
    const { ask, requested } = shop();
    expect(await ask('leaderboard', 'short')).to.equal('paid');
    expect(requested[0]?.secret).to.equal(null);
  });
});
