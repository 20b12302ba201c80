import type { Bearer } from '#domain/credits/token';
import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import type { SignedPayment } from '#domain/payment/payment';
import type { Log } from '#ports/log';
import type { Meter } from '#ports/meter';
import { BEARER_FORM } from '../credits/balance-answer.js';
import { CREDITS_OPERATION } from '../payments/work.js';
import { failureOf, type GateCall, type GateResult, type PaymentCode } from './call.js';
import { createCreditsLane, type LaneCredits } from './credits-lane.js';
import { DebitsInWork } from './debits-in-work.js';
import type { PaymentLane } from './payment-lane.js';
import type { GateTool } from './tool.js';
import { ToolCall } from './tool-call.js';
import { unpaidFault } from './unpaid-fault.js';
import type { UnpaidWork } from './unpaid-work.js';

export interface GateDeps<Name extends string> {
  readonly tools: Readonly<Record<Name, GateTool>>;
  readonly credits: LaneCredits;
  readonly payments: PaymentLane;
  readonly unpaid: UnpaidWork;
  /** Examples of documented inputs; absent: every tool has its one example. */
  readonly sandbox?: (name: Name, raw: unknown, caller: string) => GateResult;
  readonly log: Pick<Log, 'error'>;
  /** Absent: nobody counts. */
  readonly meter?: Pick<Meter, 'callEnded'> | null;
}

/** What a purchase of credits comes with. */
type PurchaseCall = Pick<GateCall, 'requestId' | 'x402Probe' | 'payment' | 'idempotencyKey' | 'caller'>;

export interface Gate<Name extends string> {
  /** Never rejects. */
  run(name: Name, call: GateCall): Promise<GateResult>;
  /** Sells the credit pack. Never rejects. */
  buyCredits(call: PurchaseCall): Promise<GateResult>;
}

const demand = (code: PaymentCode, reason: string): GateResult & { readonly kind: 'payment_required' } => ({
  kind: 'payment_required',
  code,
  reason,
});

/** What a call without payment and without a good token is answered. */
function ask({ bearer }: GateCall, fault: Problem | null): GateResult {
  const asked =
    bearer === null
      ? demand('payment_required', REASONS.none)
      : demand('invalid_token', bearer === '' ? REASONS.form : REASONS.token);
  return fault === null ? asked : { ...asked, fault };
}

/** Whether the credits did not suffice: then nothing was debited. */
function areSpent(result: GateResult): boolean {
  return result.kind === 'payment_required' && result.code === 'insufficient_credits';
}

const REASONS = {
  probe: 'x402_probe=1: these are the payment terms; nothing was run and nothing was charged',
  none: 'live calls must be paid for',
  pack: 'the credit pack is paid for with x402',
  token:
    'the bearer token is invalid or expired: for a new one buy credits at POST /api/credits or redeem a code at POST /api/redeem; or leave Authorization out and pay for this call',
  form: `${BEARER_FORM}, or leave it out and pay for this call`,
} as const;

/**
 * Returns the one door to what is sold, in a fixed order (docs/interface.md, "Order of checks"):
 * example, terms, faulty switches, credits, payment, terms again. It knows nothing of HTTP, so
 * every door gives the same answers.
 */
export function createGate<Name extends string>(deps: GateDeps<Name>): Gate<Name> {
  const { tools, credits, payments, sandbox, log, meter } = deps;
  const lane = createCreditsLane(credits, deps.unpaid);
  const debits = new DebitsInWork();

  function admit(name: Name, tool: GateTool, call: GateCall): MaybePromise<GateResult> {
    if (call.sandbox === 'set')
      return sandbox?.(name, call.args, call.caller) ?? { kind: 'example', body: tool.exampleBody };
    if (call.x402Probe === 'set') return demand('payment_required', REASONS.probe);
    if (call.sandbox === 'malformed') return malformedFlag('sandbox');
    if (call.x402Probe === 'malformed') return malformedFlag('x402_probe');
    const found = call.bearer ? credits.authenticate(call.bearer) : null;
    const called = new ToolCall(name, tool, call);
    return found instanceof Promise ? found.then((bearer) => charge(bearer, called)) : charge(found, called);
  }

  /** From credits, or else by the payment that came with the call. */
  function charge(bearer: Bearer | null, called: ToolCall): MaybePromise<GateResult> {
    if (bearer === null) return chargePayment(called);
    if (called.call.payment.kind === 'none') return lane.run(bearer, called);
    return chargeEither(bearer, called);
  }

  /**
   * Credits go before a payment if they suffice, but not before one that has begun to pay for this
   * call: its repeat is never charged, nor is that of a debit that a payment came with.
   */
  async function chargeEither(bearer: Bearer, called: ToolCall): Promise<GateResult> {
    const { payment } = called.call;
    const debit = async () => {
      const isRepeat = payment.kind === 'payment' && (await payments.isRepeat(payment.payment, called));
      return isRepeat ? null : lane.run(bearer, called);
    };
    const { paymentAnswer } = called;
    const result = await (paymentAnswer === null ? debit() : debits.run(paymentAnswer.key, debit));
    return result === null || areSpent(result) ? chargePayment(called) : result;
  }

  function chargePayment(called: ToolCall): MaybePromise<GateResult> {
    const { call } = called;
    if (call.payment.kind === 'malformed') return malformedPayment(call.payment.reason);
    if (call.payment.kind === 'payment') return settle(call.payment.payment, called);
    const fault = unpaidFault(called);
    return fault instanceof Promise ? fault.then((known) => ask(call, known)) : ask(call, fault);
  }

  /**
   * A call that credits were debited for, or are being debited for, is not paid for by the payment
   * that came with it. From the last look at those to the begin of the payment nothing waits.
   */
  async function settle(payment: SignedPayment, called: ToolCall): Promise<GateResult> {
    const { paymentAnswer } = called;
    if (paymentAnswer === null) return payments.run(payment, called);
    do {
      await debits.ended(paymentAnswer.key);
      const paid = await lane.findPaid(called);
      if (paid !== null) return paid;
    } while (debits.ended(paymentAnswer.key) !== null);
    return payments.run(payment, called);
  }

  async function sell({ x402Probe, payment, ...call }: PurchaseCall): Promise<GateResult> {
    if (x402Probe === 'set') return demand('payment_required', REASONS.probe);
    if (x402Probe === 'malformed') return malformedFlag('x402_probe');
    if (payment.kind === 'malformed') return malformedPayment(payment.reason);
    if (payment.kind === 'none') return demand('payment_required', REASONS.pack);
    return payments.buyCredits(payment.payment, call);
  }

  /** Never rejects. It waits once, for all that is not at hand. */
  async function end(admit: () => MaybePromise<GateResult>, tool: string, requestId: string, price: number) {
    let result: GateResult;
    try {
      const admitted = admit();
      result = admitted instanceof Promise ? await admitted : admitted;
    } catch (error) {
      result = toFailure(error, requestId, tool, log);
    }
    const creditsUsed = result.kind === 'answered' && !result.replayed ? price : 0;
    meter?.callEnded({ tool, result: result.kind, creditsUsed });
    return result;
  }

  return {
    run: (name, call) => end(() => admit(name, tools[name], call), name, call.requestId, tools[name].credits),
    buyCredits: (call) => end(() => sell(call), CREDITS_OPERATION, call.requestId, 0),
  };
}

function malformedPayment(reason: string): GateResult {
  const text = `the payment cannot be read (${reason}) and nothing was charged: sign the terms of a 402 of this endpoint`;
  return { kind: 'bad_request', problem: new Problem('invalid_parameter', text) };
}

/** The text is for every door: x402_probe has one alone. */
function malformedFlag(name: 'sandbox' | 'x402_probe'): GateResult {
  const value = name === 'sandbox' ? '1 (true by MCP)' : '1';
  const text = `${name} must be ${value} if it is given: leave it out for a live call`;
  return { kind: 'bad_request', problem: new Problem('invalid_parameter', text) };
}

/**
 * An expected "no" passes as it is. Anything else is logged for operators, and the caller gets only
 * the request id.
 */
function toFailure(error: unknown, requestId: string, tool: string, log: GateDeps<string>['log']): GateResult {
  if (error instanceof Problem) return { kind: 'failed', problem: error };
  log.error({ requestId, tool, err: error }, 'tool failed');
  return { kind: 'failed', problem: failureOf(error, requestId) };
}
