import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { expect } from 'chai';
import { generatePrivateKey } from 'viem/accounts';
import { type Authorization, newPayer, type Payer } from '#test/local/support/chain-harness';
import { demandedBy, PAID_CALLS, type PaidCall, type Sent, send } from '#test/support/paid-calls';
import type { PaidService } from '#test/support/paid-service';
import {
  type Demanded,
  encodeHeader,
  type SignedTransfer,
  signTransfer,
  type Transfer,
  toPaymentV1,
  toPaymentV2,
} from '#test/support/payment-headers';

/** The calls that most tests make. */
export const TRADE: PaidCall = PAID_CALLS[0]!;

/** What is different in a payment from one that is in order. */
export interface Changes {
  readonly transfer?: Partial<Transfer>;
  /** What the wallet believed the token to be. */
  readonly domain?: Record<string, unknown>;
  readonly requested?: Partial<Demanded>;
  /** Takes the place of the signature. */
  readonly signature?: (signature: string) => string;
  /** Changes the payment as it goes into the header. */
  readonly payment?: (payment: Record<string, unknown>) => object;
  /** Signs in the payer's place. */
  readonly signer?: Payer;
}

export interface Made {
  readonly payer: Payer;
  readonly payload: SignedTransfer;
  readonly v2: string;
  readonly v1: string;
}

/** What was signed, as the token takes it: anybody may submit it. */
export function authorizationOf({ payload }: Pick<Made, 'payload'>): Authorization {
  const { validAfter, validBefore, value, ...rest } = payload.authorization;
  const numbers = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
  return { ...rest, ...numbers, signature: payload.signature } as Authorization;
}

/** Seconds from now, as authorizations say them. */
export const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1e3) + seconds);

/** Makes payments for a service by hand, and looks at what became of them. */
export class Till {
  constructor(readonly service: PaidService) {}

  /** A payment of a new wallet for a call, in both versions. */
  async pay(call: PaidCall, changes: Changes = {}, given?: Payer): Promise<Made> {
    const payer = given ?? (await newPayer(this.service.chain, call.priceMicros));
    const requested = { ...demandedBy(call, this.service), ...changes.requested };
    const transfer = {
      from: payer.address,
      to: requested.payTo,
      value: requested.amount,
      validAfter: '0',
      validBefore: inSeconds(120),
      nonce: generatePrivateKey(),
      ...changes.transfer,
    };
    const signed = await signTransfer((changes.signer ?? payer).account, transfer, changes.domain);
    const payload = { ...signed, signature: changes.signature?.(signed.signature) ?? signed.signature };
    const change = changes.payment ?? ((payment) => payment);
    return {
      payer,
      payload,
      v2: encodeHeader(change(toPaymentV2(payload, requested))),
      v1: encodeHeader(change(toPaymentV1(payload))),
    };
  }

  /** A payment that sends back the secret of terms that were just read, as v2 clients do. */
  async payOnTerms(call: PaidCall): Promise<Made> {
    const { headers } = await send(call.call(this.service), {});
    const { extensions } = decodePaymentRequiredHeader(headers.get('PAYMENT-REQUIRED')!);
    return this.pay(call, { payment: (payment) => ({ ...payment, extensions }) });
  }

  send(call: PaidCall, v2: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
    return send(call.call(this.service), { 'PAYMENT-SIGNATURE': v2, ...headers });
  }

  sendV1(call: PaidCall, v1: string): Promise<Sent> {
    return send(call.call(this.service), { 'X-PAYMENT': v1 });
  }

  /** Calls of the facilitator about a payment. */
  requests(operation: 'verify' | 'settle', { payload }: Pick<Made, 'payload'>): number {
    return this.service.facilitator.faults.calls({ operation, nonce: payload.authorization.nonce }).length;
  }

  /**
   * Runs the act and returns what it returns; fails where the payee has not earned exactly so much
   * by it.
   */
  async earning<T>(micros: bigint, act: () => Promise<T>): Promise<T> {
    const { chain, payee } = this.service;
    const before = await chain.balanceOf(payee);
    const result = await act();
    expect((await chain.balanceOf(payee)) - before, 'what was earned').to.equal(micros);
    return result;
  }
}

/**
 * A 402 after which it is safe to sign anew: the reason, the terms in both forms, and a receipt
 * that says no.
 */
export function expectRefused(
  { status, text, headers }: Sent,
  call: PaidCall,
  reason: RegExp,
  version: 1 | 2 = 2,
): void {
  expect(status, text).to.equal(402);
  const body = JSON.parse(text);
  expect(body).to.include({ x402Version: 1, code: 'payment_refused' });
  expect(body.reason).to.match(reason);
  expect(body.error).to.match(/did not and will not pay for this request: .* (sign|pay|add|let|set) /);
  expect(body.accepts[0]).to.include({ maxAmountRequired: String(call.priceMicros), network: 'base' });
  const terms = decodePaymentRequiredHeader(headers.get('PAYMENT-REQUIRED')!);
  expect(terms.accepts[0]).to.include({ amount: String(call.priceMicros), network: 'eip155:8453' });
  const receipt = decodePaymentResponseHeader(headers.get(version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE')!);
  expect(receipt).to.include({ success: false, transaction: '' });
  expect(receipt.errorReason).to.match(reason);
}

/** A 400: it is not known what is meant, so there are no terms to sign either. */
export function expectMisunderstood({ status, text, headers }: Sent, reason: RegExp): void {
  expect(status, text).to.equal(400);
  expect(JSON.parse(text).error).to.match(reason);
  for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']) {
    expect(headers.get(name), name).to.equal(null);
  }
}

/** A paid 200; returns the transaction. */
export function expectAnswered({ status, text }: Sent): `0x${string}` {
  expect(status, text).to.equal(200);
  return JSON.parse(text).paid.transaction;
}
