import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import { createPaymentLane, TOKEN_REPEAT_MS } from '#services/gate/payment-lane';
import type { PaidWork, PaymentOutcome } from '#services/payments/contract';

const TOKEN = `tk_0x${'ab'.repeat(20)}_${'s'.repeat(43)}`;
const BODY = JSON.stringify({ ok: true, token: TOKEN, balance: 500 });
const PAYMENT = { paymentIdentifier: null } as SignedPayment;
const DEMAND: PaymentDemand = {
  resourceUrl: 'https://preflight.example/api/credits',
  description: 'credits',
  amountMicros: 5_000_000n,
  asset: '0x1' as WalletAddress,
  payTo: '0x2' as WalletAddress,
};

/** A lane over payments that settle at time 0 and keep the secret of the first purchase, as the durable row does. */
function shop() {
  let nowMs = 0;
  let kept: { readonly secret: string | null } | null = null;
  const pay = async (_: SignedPayment, work: PaidWork): Promise<PaymentOutcome> => {
    if (work.kind !== 'pack') throw new Error('only packs are sold here');
    const replayed = kept !== null;
    kept ??= work;
    return { kind: 'answered', body: BODY, transaction: '0xaa', replayed, secret: kept.secret, settledAtMs: 0 };
  };
  const lane = createPaymentLane({
    payments: { pay },
    demandFor: () => DEMAND,
    clock: { nowMs: () => nowMs, elapsedMs: () => nowMs },
  });
  return {
    at: (ms: number) => {
      nowMs = ms;
    },
    buy: async (idempotencyKey: string | null, payment = PAYMENT) => {
      const result = await lane.buyCredits(payment, { requestId: 'r', idempotencyKey });
      return result.kind === 'paid' ? (JSON.parse(result.body) as { token: string }).token : result.kind;
    },
  };
}

const CUT = `tk_0x${'ab'.repeat(20)}_***`;

describe('a repeated purchase of credits', () => {
  it('shows its token again for a while, and then no more: the chain shows everybody what it takes to repeat it', async () => {
    const { buy, at } = shop();
    expect(await buy(null)).to.equal(TOKEN);
    at(TOKEN_REPEAT_MS);
    expect(await buy(null)).to.equal(TOKEN);
    at(TOKEN_REPEAT_MS + 1);
    expect(await buy(null)).to.equal(CUT);
  });

  it('shows it at any time to whoever has the Idempotency-Key that it was bought with, and to nobody else', async () => {
    const { buy, at } = shop();
    expect(await buy('mine')).to.equal(TOKEN);
    expect(await buy(null)).to.equal(CUT);
    expect(await buy('guessed')).to.equal(CUT);
    at(TOKEN_REPEAT_MS * 1_000);
    expect(await buy('mine')).to.equal(TOKEN);
  });

  it('takes the secret of the terms, which the client sends back, for such a key', async () => {
    const { buy, at } = shop();
    const echoing = { ...PAYMENT, purchaseSecret: 'secret-of-the-terms-of-this-pack' };
    expect(await buy('mine', echoing)).to.equal(TOKEN);
    expect(await buy(null)).to.equal(CUT);
    expect(await buy(null, { ...PAYMENT, purchaseSecret: 'secret-of-other-terms' })).to.equal(CUT);
    at(TOKEN_REPEAT_MS + 1);
    expect(await buy(null, echoing)).to.equal(TOKEN);
  });

  it('takes a payment-identifier for such a key', async () => {
    const { buy, at } = shop();
    const named = { ...PAYMENT, paymentIdentifier: 'id-of-the-buyer' };
    expect(await buy(null, named)).to.equal(TOKEN);
    at(TOKEN_REPEAT_MS + 1);
    expect(await buy(null, named)).to.equal(TOKEN);
    expect(await buy(null)).to.equal(CUT);
  });
});
