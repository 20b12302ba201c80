import type { Log } from '#ports/log';
import type { Stopwatch } from '#system/stopwatch';
import type { FacilitatorAnswer, FacilitatorCall } from './call.js';

/** Of each thing that a facilitator says, so many characters are repeated. */
const WORDS_CHARS_MAX = 200;
/** Lines of one facilitator that are written in a minute: whoever pays can have it refuse. */
const LINES_PER_MINUTE_MAX = 10;
const MINUTE_MS = 60_000;

/** Where facilitators say in their own words what is wrong. */
const FIELDS = [
  'invalidReason',
  'errorReason',
  'invalidMessage',
  'errorMessage',
  'errorType',
  'correlationId',
  'error',
  'message',
] as const;

/** Control characters, and marks that turn the direction of what stands beside them. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Addresses may stand in a log; nonces, hashes, signatures, keys and payloads may not. */
const SECRET = /(?:0x)?[0-9a-f]{48,}|[A-Za-z0-9+/_=-]{60,}/gi;

/**
 * Returns what an answer says in words, each cut and without what looks like a payload; null:
 * nothing.
 */
function foreignWords({ body, text }: FacilitatorAnswer): Readonly<Record<string, string>> | null {
  if (typeof body !== 'object' || body === null) return text.trim() === '' ? null : { text: screened(text) };
  const said = FIELDS.flatMap((field) => {
    const value = (body as Readonly<Record<string, unknown>>)[field];
    return typeof value === 'string' && value !== '' ? [[field, screened(value)] as const] : [];
  });
  return said.length === 0 ? null : Object.fromEntries(said);
}

function screened(text: string): string {
  // Cut before it is looked through, with room for what is taken out.
  const line = text
    .slice(0, 4 * WORDS_CHARS_MAX)
    .replace(UNSHOWN, ' ')
    .replace(SECRET, '…')
    .trim();
  return line.length <= WORDS_CHARS_MAX ? line : `${line.slice(0, WORDS_CHARS_MAX)}…`;
}

/** Returns a writer of what a facilitator says where it does not say yes. */
export function createWordsLog(
  log: Pick<Log, 'warn'>,
  stopwatch: Stopwatch,
  facilitator: string,
): (endpoint: string, call: FacilitatorCall) => void {
  let minute = Number.NaN;
  let lines = 0;
  return (endpoint, call) => {
    if (call.kind !== 'answer' || isYes(call)) return;
    const words = foreignWords(call);
    if (words === null) return;
    const now = Math.floor(stopwatch.elapsedMs() / MINUTE_MS);
    if (now !== minute) lines = 0;
    minute = now;
    if (++lines > LINES_PER_MINUTE_MAX) return;
    log.warn({ facilitator, endpoint, status: call.status, words }, 'a facilitator said no, in its own words');
  };
}

function isYes({ status, body }: FacilitatorAnswer): boolean {
  const { isValid, success } = (body ?? {}) as { readonly isValid?: unknown; readonly success?: unknown };
  return status < 300 && (isValid === true || success === true);
}
