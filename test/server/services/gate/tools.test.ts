import { expect } from 'chai';
import type { WalletAddress } from '#domain/ids';
import type { GateCall } from '#services/gate/call';
import { createPaymentLane } from '#services/gate/payment-lane';
import { ToolCall } from '#services/gate/tool-call';
import { createTools } from '#services/gate/tools';
import { newPayment, type PaymentsRig, startPaymentsRig } from '#test/server/services/support/payments-rig';
import { AS_OF_S, sampleBoard } from '#test/support/sample-ratings';
import { DEMAND } from '#test/support/signed-payments';
import { paymentSecrets } from '#test/support/store-secrets';

const WALLET = `0x${'ab'.repeat(20)}` as WalletAddress;
const ORDER = { slug: 'some-market' };

describe('the tools of the gate', () => {
  let rig: PaymentsRig;
  /** What was done for callers: places in a queue, questions to the venue. */
  const done: string[] = [];
  let isBookCached = false;
  const list = async () => ({ kind: 'listed', board: sampleBoard(), wallets: [], nextRefreshS: AS_OF_S }) as const;
  const tools = createTools({
    judge: async () => {
      done.push('book');
      return { ok: true };
    },
    isBookCached: () => isBookCached,
    wallets: {
      ask: async (wallet) => {
        done.push(`queued ${wallet}`);
        return { kind: 'queued', retryAfterS: 5, position: 1 };
      },
    },
    lists: { leaderboard: list, redList: list },
    walletEvidenceOf: async () => '{}',
  });

  beforeEach(async () => {
    done.length = 0;
    rig = await startPaymentsRig();
  });
  afterEach(() => rig.close());

  function pay(name: keyof typeof tools, args: object) {
    const { payments, clock } = rig;
    const lane = createPaymentLane({ payments, demandFor: () => DEMAND, ...paymentSecrets(clock), clock });
    const call = { caller: '192.0.2.1', requestId: 'r', idempotencyKey: null, args } as GateCall;
    return lane.run(newPayment(clock), new ToolCall(name, tools[name], call));
  }

  it('say synchronously whether their answer is at hand: lists are, wallets are not, orders are with their book', () => {
    const isCached = (name: keyof typeof tools, args: object) => {
      const prepared = tools[name].prepare(args);
      return prepared.kind === 'ready' ? prepared.isCached() : prepared;
    };
    expect(isCached('leaderboard', {})).to.equal(true);
    expect(isCached('red_list', {})).to.equal(true);
    expect(isCached('preflight_copy', { wallet: WALLET })).to.equal(false);
    for (isBookCached of [false, true]) expect(isCached('preflight_trade', ORDER)).to.equal(isBookCached);
    expect(done).to.deep.equal([]);
  });

  it('queue nothing and ask the venue for nothing while nobody has paid', async () => {
    rig.facilitators[0]!.verifies = { kind: 'invalid', reason: 'insufficient_funds' };
    isBookCached = false;
    for (const [name, args] of [
      ['preflight_copy', { wallet: WALLET }],
      ['preflight_trade', ORDER],
    ] as const) {
      expect(await pay(name, args)).to.include({ kind: 'payment_refused', reason: 'insufficient_funds' });
    }
    expect(done).to.deep.equal([]);

    rig.facilitators[0]!.verifies = { kind: 'valid' };
    expect(await pay('preflight_copy', { wallet: WALLET })).to.include({ kind: 'free', status: 202 });
    expect(done).to.deep.equal([`queued ${WALLET}`]);
    expect(rig.facilitators[0]!.requested, 'and what is free is not settled').to.not.include('settle');
  });

  it('find what is wrong with the parameters before the payment is looked at', async () => {
    expect(await pay('preflight_copy', { wallet: 'nobody' })).to.include({ kind: 'bad_request' });
    expect(rig.facilitators[0]!.requested).to.deep.equal([]);
  });
});
