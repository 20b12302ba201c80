import { Problem } from '#domain/errors';
import { type CreditsLane, createCreditsLane, type LaneCredits } from './credits-lane.js';
import { type GateCall, type GateResult, internalError, type PaymentCode } from './gate-call.js';
import type { GateTool } from './gate-tool.js';

/** What the gate tells operators. A pino logger is one. */
export interface GateLog {
  error(facts: object, message: string): void;
}

export interface GateDeps<Name extends string> {
  readonly tools: Readonly<Record<Name, GateTool>>;
  readonly credits: LaneCredits;
  readonly log: GateLog;
}

export interface Gate<Name extends string> {
  /** Never rejects. */
  run(name: Name, call: GateCall): Promise<GateResult>;
}

const demand = (code: PaymentCode, reason: string): GateResult => ({ kind: 'payment_required', code, reason });

const REASONS = {
  probe: 'x402_probe=1: these are the payment terms; nothing was run and nothing was charged',
  none: 'a live call is paid: send a bearer token with credits; sandbox=1 returns a free example',
  payment: 'per-call payments are not enabled on this server yet and nothing was charged: use credits (a bearer token)',
  token: 'the bearer token is invalid or expired: redeem a code for a new one, or leave Authorization out',
} as const;

/**
 * Returns the one door to the tools, in the order of the architecture, section 5: example, terms, faulty switches,
 * credits, terms again. It knows nothing of HTTP, so every door gives the same answers.
 */
export function createGate<Name extends string>({ tools, credits, log }: GateDeps<Name>): Gate<Name> {
  const lane = createCreditsLane(credits);
  return {
    async run(name, call) {
      try {
        return await admit(lane, credits, name, tools[name], call);
      } catch (error) {
        return toFailure(error, call.requestId, name, log);
      }
    },
  };
}

async function admit(
  lane: CreditsLane,
  credits: LaneCredits,
  name: string,
  tool: GateTool,
  call: GateCall,
): Promise<GateResult> {
  if (call.sandbox === 'set') return { kind: 'example', body: tool.exampleBody };
  if (call.x402Probe === 'set') return demand('payment_required', REASONS.probe);
  if (call.sandbox === 'malformed') return malformedFlag('sandbox');
  if (call.x402Probe === 'malformed') return malformedFlag('x402_probe');
  const wallet = call.bearer ? await credits.authenticate(call.bearer) : null;
  if (wallet !== null) return lane.run(wallet, name, tool, call);
  if (call.paymentGiven) return demand('payment_not_supported', REASONS.payment);
  return call.bearer === null ? demand('payment_required', REASONS.none) : demand('invalid_token', REASONS.token);
}

function malformedFlag(name: string): GateResult {
  const text = `${name} must be 1 where it is given: leave it out for a live call`;
  return { kind: 'bad_request', problem: new Problem('invalid_parameter', text) };
}

/** An expected "no" passes as it is. Anything else is told to operators, and of it the caller learns only the request id. */
function toFailure(error: unknown, requestId: string, tool: string, log: GateLog): GateResult {
  if (error instanceof Problem) return { kind: 'failed', problem: error };
  log.error({ requestId, tool, err: error }, 'tool failed');
  return { kind: 'failed', problem: internalError(requestId) };
}
