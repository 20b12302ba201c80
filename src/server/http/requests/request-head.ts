import type { IncomingMessage } from 'node:http';
import { Problem } from '#domain/errors';
import type { Answer } from '#doors/route';
import { problemAnswer } from '../answers/answer.js';

const refusal = (text: string) => problemAnswer(new Problem('malformed_request', text));

const WRONG_VERSION = refusal('this is HTTP/1.1: another version cannot be named in the request line');
const NO_HOST = refusal('an HTTP/1.1 request needs a Host header');
const TWO_HOSTS = refusal('a request has one Host header');
const NO_TARGET = refusal('the target of a request is a path, or a whole http or https URL');

/**
 * Returns the answer to a request whose head Node's parser lets through although HTTP does not (RFC 9112, sections 2.3, 3.2
 * and 3.2.2), or null. The target is left in the form of a path, so that no router has to parse a URL.
 */
export function headRefusal(req: IncomingMessage): Answer | null {
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') return WRONG_VERSION;
  if (req.headers.host === undefined && req.httpVersion === '1.1') return NO_HOST;
  if (hostsOf(req) > 1) return TWO_HOSTS;
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

/** Returns path and query of a target, null if it has none: not even an address that could be called. */
function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target;
  const origin = /^https?:\/\/[^/?#]+/i.exec(target)?.[0];
  if (origin === undefined || !URL.canParse(target)) return null;
  const path = target.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}
