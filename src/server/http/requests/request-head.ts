import type { IncomingMessage } from 'node:http';
import { Problem } from '#domain/errors';
import type { Answer } from '#doors/route';
import type { Random } from '#system/random';
import { problemAnswer } from '../answers/answer.js';
import { HEADER_BYTES_MAX } from '../limits/limits.js';

/** Random bytes in a request id: enough that two ids never meet. */
const ID_BYTES = 12;
/** Ids made of one draw, because each draw of random bytes costs as much as the rest of the id. */
const IDS_PER_DRAW = 256;

/** The colon and blank within a header, and the end of its line. */
const LINE_BYTES = 4;
/** The blanks within the request line, its version and its end. */
const REQUEST_LINE_BYTES = ' '.length + ' HTTP/1.1\r\n'.length;

/** With fewer headers, all that Node does not count is a 60th of what it does: not worth a sum. */
const LINES_SUMMED_MIN = 64;

/**
 * A host as URLs have it, and its port (RFC 9110, section 7.2). It may be empty, and clients of a
 * link-local address may leave its zone in it.
 */
const HOST = /^(?:\[[\w:.~%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** What is said of a head that Node or we find too long. */
export const HEAD_TOO_LARGE = new Problem(
  'headers_too_large',
  `request line and headers must be at most ${HEADER_BYTES_MAX} bytes together`,
);

const refusal = (text: string) => problemAnswer(new Problem('malformed_request', text));

const WRONG_VERSION = refusal('this is HTTP/1.1: another version cannot be named in the request line');
const NO_HOST = refusal('an HTTP/1.1 request needs a Host header');
const TWO_HOSTS = refusal('a request has one Host header');
const NO_HOST_NAME = refusal('the Host header is not a host with or without a port: send that of the URL');
const NO_TARGET = refusal('the target of a request is a path, or a whole http or https URL');
/** As Node closes the connection of a head that it stops reading. */
const TOO_LARGE = problemAnswer(HEAD_TOO_LARGE, ['Connection', 'close']);

/**
 * Returns the answer to a request whose head Node's parser lets through although HTTP does not (RFC
 * 9112, sections 2.3, 3.2 and 3.2.2), or is longer than we say, or null. The target is left in the
 * form of a path, so that no router has to parse a URL.
 */
export function headRefusal(req: IncomingMessage): Answer | null {
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') return WRONG_VERSION;
  const { host } = req.headers;
  if (host === undefined && req.httpVersion === '1.1') return NO_HOST;
  if (hostsOf(req) > 1) return TWO_HOSTS;
  if (host !== undefined && !HOST.test(host)) return NO_HOST_NAME;
  if (isTooLarge(req)) return TOO_LARGE;
  const path = pathOf(req.url ?? '');
  if (path === null) return NO_TARGET;
  req.url = path;
  return null;
}

function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** Node's own bound is on names, values and target alone: many short headers pass by it. */
function isTooLarge({ method = '', url = '', rawHeaders }: IncomingMessage): boolean {
  const lines = rawHeaders.length / 2;
  if (lines < LINES_SUMMED_MIN) return false;
  const texts = [method, url, ...rawHeaders];
  const bytes = REQUEST_LINE_BYTES + lines * LINE_BYTES;
  return texts.reduce((sum, { length }) => sum + length, bytes) > HEADER_BYTES_MAX;
}

/**
 * Returns path and query of a target, null if it has none: not even an address that could be
 * called.
 */
function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target;
  const origin = /^https?:\/\/[^/?#]+/i.exec(target)?.[0];
  if (origin === undefined || !URL.canParse(target)) return null;
  const path = target.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Returns a maker of request ids: 24 hexadecimal digits each. Ids of clients are not taken over:
 * they end up in logs.
 */
export function createRequestIds(random: Pick<Random, 'bytes'>): () => string {
  let pool = '';
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = Buffer.from(random.bytes(ID_BYTES * IDS_PER_DRAW)).toString('hex');
      used = 0;
    }
    used += ID_BYTES * 2;
    return pool.slice(used - ID_BYTES * 2, used);
  };
}
