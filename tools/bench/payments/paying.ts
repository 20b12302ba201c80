import { setImmediate as breathe } from 'node:timers/promises';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { createSignatureCheck } from '#adapters/chain/signature-check';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { WrittenAnswer } from '#api/written-answer';
import { BASE_NETWORK, PAYMENT_WINDOW_S, type SignedPayment } from '#domain/payment/payment';
import type { Store } from '#ports/store';
import { createPaymentLane } from '#services/gate/payment-lane';
import { gateTool } from '#services/gate/tool';
import { ToolCall } from '#services/gate/tool-call';
import type { PaymentDeps } from '#services/payments/contract';
import { Lease } from '#services/payments/lease';
import { Payments } from '#services/payments/payments';
import { RefusedPayments } from '#services/payments/refused-payments';
import { type Account, DEMAND, newAccount, signPayment, USDC } from '#test/support/signed-payments';
import { paymentSecrets } from '#test/support/store-secrets';
import { readPayment } from '#wire/x402/x402-payment';
import type { FreeOutside } from './free-outside.js';

/** As long as a real answer. */
export const ANSWER = JSON.stringify({ ok: true, verdict: 'OK', text: 'x'.repeat(1_200) });
const TOOL = 'preflight_trade';
const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** Few of them have several payments in work at once. */
const WALLETS = 128;
/** Signed in one go; then others have their turn, the lease above all. */
const SIGNED_AT_ONCE = 16;

const tool = gateTool({
  credits: 1,
  exampleBody: ANSWER,
  parse: (args) => ({ kind: 'parsed', args }),
  run: async () => new WrittenAnswer(ANSWER),
  isCached: () => true,
});

/** Everything behind the door that a paid call goes through, over a store of its own. */
export interface Paying {
  readonly deps: PaymentDeps;
  readonly payments: Payments;
  /**
   * Signs payments of wallets that differ, each under a nonce of its own, and returns them with
   * their headers.
   */
  sign(count: number): Promise<readonly Signed[]>;
  /** Reads the header of a call and answers it. */
  call(header: string): Promise<void>;
  end(): Promise<void>;
}

/** A signed payment and the header in which it comes. */
export interface Signed {
  readonly payment: SignedPayment;
  readonly header: string;
}

/** Returns the lane as `compose` wires it, with an outside that costs nothing. */
export async function openPaying(store: Store, { chain, facilitator }: FreeOutside): Promise<Paying> {
  const ports = { clock: systemClock, timers: systemTimers, random: systemRandom, log: silent };
  const lease = new Lease({ leases: store.leases, othersMax: 1, stopwatch: systemClock, ...ports });
  await lease.start();
  const secrets = paymentSecrets();
  const deps: PaymentDeps = {
    store,
    lease,
    facilitators: [facilitator],
    chain,
    signatures: createSignatureCheck(USDC),
    refused: new RefusedPayments(systemClock),
    explorerUrl: 'https://basescan.org',
    ...secrets,
    ...ports,
  };
  const payments = new Payments(deps);
  const lane = createPaymentLane({ payments, demandFor: () => DEMAND, ...secrets, clock: systemClock });
  const accounts: Account[] = [];
  return {
    deps,
    payments,
    async sign(count) {
      while (accounts.length < Math.min(count, WALLETS)) accounts.push(newAccount());
      const signed: Signed[] = [];
      while (signed.length < count) {
        const account = accounts[signed.length % accounts.length]!;
        if (signed.length % SIGNED_AT_ONCE === 0) await untilHeld(lease);
        const validBefore = String(Math.floor(Date.now() / 1e3) + PAYMENT_WINDOW_S);
        const payment = await signPayment({ validBefore }, account);
        signed.push({ payment, header: toHeader(payment) });
      }
      return signed;
    },
    async call(header) {
      const reading = readPayment({ paymentSignature: header, xPayment: undefined }, USDC);
      if (reading.kind !== 'payment') throw new Error(`a header was ${reading.kind}`);
      const call = new ToolCall(TOOL, tool, {
        requestId: 'r',
        caller: '203.0.113.1',
        sandbox: 'absent',
        x402Probe: 'absent',
        bearer: null,
        payment: reading,
        idempotencyKey: null,
        args: { slug: 'bitcoin-above-100k', side: 'BUY', usd: 100 },
      });
      const { kind } = await lane.run(reading.payment, call);
      if (kind !== 'paid') throw new Error(`a call was ${kind}`);
    },
    end: () => lease.end(),
  };
}

/**
 * On a busy machine a round can take longer than a lease is good for; a process that is late renews
 * it first.
 */
async function untilHeld(lease: Lease): Promise<void> {
  do await breathe();
  while (!lease.isHeld());
}

function toHeader({ authorization, signature }: SignedPayment): string {
  const accepted = {
    scheme: 'exact',
    network: BASE_NETWORK,
    amount: authorization.value,
    asset: USDC,
    payTo: authorization.to,
    maxTimeoutSeconds: PAYMENT_WINDOW_S,
    extra: { name: 'USD Coin', version: '2' },
  } as const;
  return encodePaymentSignatureHeader({ x402Version: 2, accepted, payload: { signature, authorization } });
}
