import type { SettleOutcome, VerifyOutcome } from '#ports/settlement';
import { parseSettleAnswer, parseVerifyAnswer, type SettleAnswer } from '#wire/x402/facilitator';
import type { FacilitatorAnswer } from './call.js';

/** The facilitator has sent the transfer, or is about to, and does not know its end. */
const PENDING = 'settlement_pending';

/**
 * Reasons by which a facilitator refuses before it sends anything: of the x402 specification
 * (section 9), of @x402/evm and of CDP. Every other reason, known or not, leaves open what
 * happened: so "nonce already used", a failed simulation or a failed transaction can follow a
 * transfer that did happen.
 */
const DEFINITIVE_REASONS: ReadonlySet<string> = new Set([
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  'insufficient_funds',
  'invalid_payload',
  'invalid_payment_requirements',
  ...[
    'authorization_value',
    'eip3009_not_supported',
    'failed_to_parse_signature',
    'insufficient_balance',
    'missing_eip712_domain',
    'network_mismatch',
    'payload_authorization_from_address_kyt',
    'payload_authorization_to_address_kyt',
    'payload_authorization_typed_data_message',
    'payload_authorization_valid_after',
    'payload_authorization_valid_before',
    'payload_authorization_value',
    'payload_authorization_value_mismatch',
    'payload_authorization_value_too_low',
    'payload_recipient_mismatch',
    'payload_signature',
    'payload_signature_address',
    'recipient_mismatch',
    'scheme',
    'signature',
    'token_name_mismatch',
    'token_version_mismatch',
  ].map((what) => `invalid_exact_evm_${what}`),
]);

/**
 * Reasons that are about the terms, which are ours and were looked at here: another facilitator may
 * know them.
 */
const TERMS_NOT_SERVED: ReadonlySet<string> = new Set([
  'invalid_network',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_network',
  'unsupported_payload_type',
  'unsupported_scheme',
]);

/**
 * Statuses by which a request is turned away unread: our key, our URL or our pace is wrong, not the
 * payment.
 */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 415, 429]);

/**
 * Whether the answer shows a facilitator that is in trouble or that we cannot use: only a verdict of
 * the protocol is an answer, whatever the status says. One that says "pending" is at work, and a
 * refusal is an answer.
 */
export function isFault({ status, body }: FacilitatorAnswer): boolean {
  const settled = parseSettleAnswer(body);
  if (settled?.reason === PENDING) return false;
  if (status >= 500) return true;
  return settled === null && parseVerifyAnswer(body) === null;
}

/** Returns what an answer of /verify means. `payer` is who signed. */
export function toVerifyOutcome({ status, body }: FacilitatorAnswer, payer: string): VerifyOutcome {
  const answer = status < 500 ? parseVerifyAnswer(body) : null;
  if (answer === null) return { kind: 'unavailable', reason: `answered ${status} without a verdict` };
  if (answer.isValid && status >= 300) return { kind: 'unavailable', reason: `answered ${status} and yet "valid"` };
  if (answer.isValid && answer.payer !== null && answer.payer !== payer) {
    return { kind: 'unavailable', reason: 'verified the payment of another payer' };
  }
  if (answer.isValid) return { kind: 'valid' };
  const reason = answer.reason ?? 'invalid_payment';
  // The facilitator's own trouble: another one may do better.
  const isItsOwn = reason.startsWith('unexpected_') || TERMS_NOT_SERVED.has(reason);
  return { kind: isItsOwn ? 'unavailable' : 'invalid', reason };
}

/**
 * Returns what an answer of /settle means (docs/payments.md, "Facilitator answers"). `payer` is
 * who signed.
 */
export function toSettleOutcome({ status, body }: FacilitatorAnswer, payer: string): SettleOutcome {
  const answer = parseSettleAnswer(body);
  if (answer === null) {
    if (TURNED_AWAY.has(status)) return { kind: 'not_sent', reason: `answered ${status}` };
    return { kind: 'unknown', reason: `answered ${status} without an outcome`, transaction: null };
  }
  if (answer.success) return fromSuccess(answer, status, payer);
  const reason = answer.reason ?? 'no reason given';
  if (status < 500 && !answer.namesTransaction) {
    if (TERMS_NOT_SERVED.has(reason)) return { kind: 'not_sent', reason };
    if (DEFINITIVE_REASONS.has(reason)) return { kind: 'rejected', reason };
  }
  return { kind: 'unknown', reason, transaction: answer.transaction };
}

/** A success that does not say what was paid, or speaks of another payment, proves nothing. */
function fromSuccess(answer: SettleAnswer, status: number, payer: string): SettleOutcome {
  const { transaction } = answer;
  const unknown = (reason: string): SettleOutcome => ({ kind: 'unknown', reason, transaction });
  if (status < 200 || status >= 300) return unknown(`answered ${status} and yet "success"`);
  if (transaction === null) return unknown('success without a transaction hash');
  if (answer.payer !== null && answer.payer !== payer) return unknown('success for another payer');
  if (answer.isBase === false) return unknown('success on another network');
  return { kind: 'settled', transaction };
}
