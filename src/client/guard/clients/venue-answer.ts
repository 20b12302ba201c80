import { asObject } from '#domain/json';
import { findRefusal } from '#domain/refusals/refusals';
import type { VenueAnswer } from './order-call.js';

const CLIENT_ERROR = 400;
const SERVER_ERROR = 500;
const REQUEST_TIMEOUT = 408;
/**
 * Refusals that say that the order may be at work all the same: it was sent before, or is matched
 * later.
 */
const MAY_STILL_MATCH = /duplicated|delayed/i;

const NOTHING: VenueAnswer = {
  kind: 'unknown',
  why: '',
  orderId: null,
  status: null,
  makingAmount: null,
  takingAmount: null,
  transactionHashes: [],
};

/** Returns what a status with an error says of an order. Without a status nothing is known. */
export function refusalOf(status: unknown, message: string): VenueAnswer {
  const code = typeof status === 'number' ? status : 0;
  const isOfClient = code >= CLIENT_ERROR && code < SERVER_ERROR && code !== REQUEST_TIMEOUT;
  const found = findRefusal(message);
  const known = found?.refusal;
  // A client's own refusal, and no text in which one happens to be.
  const isUnsent = code === 0 && found?.isWhole === true && known?.from === 'client' && known.order === 'none';
  // Of a server error nothing is known, unless it is one with which the engine refuses.
  const isOfEngine = code >= SERVER_ERROR && known?.order === 'none' && known.statuses.includes(code);
  const isNo = (isUnsent || isOfClient || isOfEngine) && known?.order !== 'unknown' && !MAY_STILL_MATCH.test(message);
  return { ...NOTHING, kind: isNo ? 'rejected' : 'unknown', why: `${code === 0 ? 'no status' : code}: ${message}` };
}

/** Returns what the answer of an accepted or refused order says; `unknown` if it says neither. */
export function readVenueAnswer(received: unknown): VenueAnswer {
  const answer = asObject(received);
  if (answer === null) return { ...NOTHING, why: 'the answer is none' };
  // Null and "" stand for none.
  if ((answer.error ?? '') !== '') return refusalOf(answer.status, textOf(answer.error));
  const isOk = answer.success ?? answer.ok;
  const orderId = textOrNull(answer.orderID ?? answer.orderId);
  const facts = {
    why: textOf(answer.errorMsg ?? answer.message ?? ''),
    orderId,
    status: textOrNull(answer.status ?? answer.code),
    makingAmount: textOrNull(answer.makingAmount),
    takingAmount: textOrNull(answer.takingAmount),
    transactionHashes: textsOf(answer.transactionsHashes),
  };
  if (MAY_STILL_MATCH.test(facts.why)) return { ...facts, kind: 'unknown' };
  if (isOk === true && orderId !== null) return { ...facts, kind: 'accepted' };
  // A leg of a batch that was refused: success, without an order and with a reason.
  const isNo = isOk === false || (isOk === true && facts.why !== '');
  return { ...facts, kind: isNo ? 'rejected' : 'unknown' };
}

const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
