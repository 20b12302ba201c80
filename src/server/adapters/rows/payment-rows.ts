import type { Authorization, PaymentDemand, PaymentKey, SignedPayment } from '#domain/payment/payment';
import { PAYMENT_STATES, type PaymentRow } from '#domain/payment/payment-row';
import { decodeProof, encodeProof } from './proof-rows.js';
import { address, count, digits, fields, flag, list, oneOf, ROW_VERSION, text, textOrNull } from './row-fields.js';

/*
 * Payment rows in their stored form: arrays like all others. What was signed is kept in full and as
 * it came, although the row's key says a part of it; amounts of ours are decimal text, so that no
 * engine's number can round them.
 */

const VERSIONS = [1, 2] as const;
/** Places of the fields that rows may have. */
const OWNER = 15;
const EPOCH = 16;
const BUYER_SECRET = 17;
const PROOF = 18;
const SIGNED_BY_KEY = 19;
const UNATTENDED = 20;
const REFUNDED_AT = 21;
const FIELDS = 22;
const FIELDS_OPTIONAL = 7;

/** Returns the stored form of a payment. */
export function encodePayment(row: PaymentRow): unknown {
  const stored: unknown[] = [
    ROW_VERSION,
    PAYMENT_STATES.indexOf(row.state),
    row.fingerprint,
    row.operation,
    row.requestId,
    encodeSigned(row.payment),
    encodeDemand(row.demand),
    row.answer,
    row.intentBlock,
    row.body,
    row.transaction,
    row.failReason,
    row.open,
    row.createdAtMs,
    row.updatedAtMs,
    // Rows have had these since. Those from before had no owner, and end before it.
    row.owner,
    row.epoch,
    row.buyerSecret ?? null,
    row.proof === null ? null : encodeProof(row.proof),
    row.isSignedByKey,
  ];
  // Few rows have one of these, and the others end before them.
  const { isUnattended = false, refundedAtMs } = row;
  if (refundedAtMs !== undefined) stored.push(isUnattended, refundedAtMs);
  else if (isUnattended) stored.push(true);
  return stored;
}

/** Returns a payment from its stored form, or throws the error that names the row. */
export function decodePayment(rowKey: string, raw: unknown, key: PaymentKey): PaymentRow {
  const row = fields(rowKey, raw, FIELDS, FIELDS_OPTIONAL);
  const buyerSecret = textOrNull(rowKey, row[BUYER_SECRET] ?? null, 'buyerSecret');
  return {
    key,
    state: oneOf(rowKey, PAYMENT_STATES, row[1], 'state'),
    fingerprint: text(rowKey, row[2], 'fingerprint'),
    operation: text(rowKey, row[3], 'operation'),
    requestId: text(rowKey, row[4], 'requestId'),
    payment: decodeSigned(rowKey, row[5]),
    demand: decodeDemand(rowKey, row[6]),
    answer: text(rowKey, row[7], 'answer'),
    intentBlock: count(rowKey, row[8], 'intentBlock'),
    body: textOrNull(rowKey, row[9], 'body'),
    transaction: textOrNull(rowKey, row[10], 'transaction'),
    failReason: textOrNull(rowKey, row[11], 'failReason'),
    open: flag(rowKey, row[12], 'open'),
    createdAtMs: count(rowKey, row[13], 'createdAtMs'),
    updatedAtMs: count(rowKey, row[14], 'updatedAtMs'),
    ...(buyerSecret === null ? {} : { buyerSecret }),
    // Rows that were settled before receipts were looked at have no such field.
    proof: decodeProof(rowKey, row[PROOF] ?? null),
    owner: textOrNull(rowKey, row[OWNER] ?? null, 'owner'),
    epoch: count(rowKey, row[EPOCH] ?? 1, 'epoch'),
    isSignedByKey: flag(rowKey, row[SIGNED_BY_KEY] ?? true, 'isSignedByKey'),
    ...(flag(rowKey, row[UNATTENDED] ?? false, 'isUnattended') ? { isUnattended: true } : {}),
    ...(row[REFUNDED_AT] === undefined ? {} : { refundedAtMs: count(rowKey, row[REFUNDED_AT], 'refundedAtMs') }),
  };
}

function encodeSigned({
  version,
  asset,
  authorization,
  signature,
  paymentIdentifier,
  resourceUrl,
}: SignedPayment): unknown {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const signed = [from, to, value, validAfter, validBefore, nonce];
  return [VERSIONS.indexOf(version), asset, signed, signature, paymentIdentifier, resourceUrl];
}

function decodeSigned(rowKey: string, raw: unknown): SignedPayment {
  const payment = list(rowKey, raw, 'payment');
  return {
    version: oneOf(rowKey, VERSIONS, payment[0], 'payment.version'),
    asset: address(rowKey, payment[1], 'payment.asset'),
    authorization: decodeAuthorization(rowKey, payment[2]),
    signature: text(rowKey, payment[3], 'payment.signature'),
    paymentIdentifier: textOrNull(rowKey, payment[4], 'payment.paymentIdentifier'),
    resourceUrl: textOrNull(rowKey, payment[5], 'payment.resourceUrl'),
  };
}

function decodeAuthorization(rowKey: string, raw: unknown): Authorization {
  const signed = list(rowKey, raw, 'authorization');
  return {
    from: address(rowKey, signed[0], 'authorization.from'),
    to: address(rowKey, signed[1], 'authorization.to'),
    value: digits(rowKey, signed[2], 'authorization.value'),
    validAfter: digits(rowKey, signed[3], 'authorization.validAfter'),
    validBefore: digits(rowKey, signed[4], 'authorization.validBefore'),
    nonce: text(rowKey, signed[5], 'authorization.nonce'),
  };
}

function encodeDemand({ resourceUrl, description, amountMicros, asset, payTo }: PaymentDemand): unknown {
  return [resourceUrl, description, String(amountMicros), asset, payTo];
}

function decodeDemand(rowKey: string, raw: unknown): PaymentDemand {
  const demand = list(rowKey, raw, 'demand');
  return {
    resourceUrl: text(rowKey, demand[0], 'demand.resourceUrl'),
    description: text(rowKey, demand[1], 'demand.description'),
    amountMicros: BigInt(digits(rowKey, demand[2], 'demand.amountMicros')),
    asset: address(rowKey, demand[3], 'demand.asset'),
    payTo: address(rowKey, demand[4], 'demand.payTo'),
  };
}
