import express from 'express';
import { decodeText } from '#domain/decode-text';
import { Problem } from '#domain/errors';
import { parseJson, repeatedName } from '#domain/json';
import type { Body, DoorRequest, ReadBody } from '#doors/request';
import { BODY_BYTES_MAX } from '../limits/limits.js';
import { isInChunks, leaveIfLonger, leaveOnceLonger } from '../limits/long-bodies.js';

/**
 * Reads the body of a request, to its end even if it is refused, so that the client gets to read
 * the answer. One that is too long is refused as soon as it says so or has sent too much.
 */
export const readJsonBody = jsonBodyReader(BODY_BYTES_MAX);

const REPEATED_NAME = 'name.repeated';
const EMPTY = 'entity.empty';
/** The one coding of a transfer that Node undoes; others before it in the list it passes over. */
const CHUNKED = /^\s*chunked\s*$/i;
/** Of a name that is said again to its sender. */
const NAME_CHARS_MAX = 64;

const NONE: Body = { kind: 'absent' };
const NO_JSON = ['unsupported_media_type', 'send the body as Content-Type: application/json'] as const;
const ENCODED = [
  'unsupported_media_type',
  'send the body as uncompressed UTF-8 JSON, without Content-Encoding, and with charset=utf-8 if with any',
] as const;

/** Returns the same for bodies of another length. */
export function jsonBodyReader(bytesMax: number): ReadBody {
  // Not inflated: our bodies are short, and a compressed one can only be a bomb or a mistake.
  const parse = express.json({
    type: 'application/json',
    limit: bytesMax,
    strict: true,
    inflate: false,
    verify: onlyClear,
  });
  return (req, res) => {
    if (!hasBody(req)) return Promise.resolve(NONE);
    if (leaveIfLonger(req, bytesMax)) return Promise.resolve(tooLarge(bytesMax));
    const { 'transfer-encoding': transfer } = req.headers;
    if (transfer !== undefined && !CHUNKED.test(transfer)) return Promise.resolve(refuse(...ENCODED));
    return new Promise((resolve) => {
      leaveOnceLonger(req, bytesMax, () => resolve(tooLarge(bytesMax)));
      parse(req, res as never, (error?: unknown) => {
        if (error !== undefined) resolve(refused(error, bytesMax));
        // The parser passes by what it does not take for JSON.
        else if (req.body === undefined) ifBytesCome(req, (come) => resolve(come ? refuse(...NO_JSON) : NONE));
        else resolve(toBody(req.body));
      });
    });
  };
}

/**
 * Reports whether a body that nobody reads has any bytes: one in chunks, as some clients send where
 * they have nothing to send, says so only by its end.
 */
function ifBytesCome(req: DoorRequest, report: (come: boolean) => void): void {
  if (!isInChunks(req)) {
    report(true);
    return;
  }
  req.once('data', () => report(true));
  req.once('end', () => report(false));
  // Of a client that leaves before either.
  req.once('close', () => report(true));
}

/**
 * The parser reads any form of Unicode; JSON between systems is UTF-8 (RFC 8259, section 8.1). And
 * it takes the last of two members of one name, where a query that gives a value twice is refused.
 */
function onlyClear(_req: unknown, _res: unknown, bytes: Buffer, charset: string): void {
  if (bytes.length === 0) throw Object.assign(new Error(EMPTY), { type: EMPTY });
  if (charset !== 'utf-8') throw Object.assign(new Error(charset), { type: 'charset.unsupported' });
  // As the parser reads it: without the byte order mark that some clients begin with.
  const text = decodeText(bytes);
  // What is no JSON is the parser's to refuse.
  const twice = parseJson(text) === undefined ? null : repeatedName(text);
  if (twice !== null) throw Object.assign(new Error(twice), { type: REPEATED_NAME });
}

function hasBody(req: DoorRequest): boolean {
  return isInChunks(req) || Number(req.headers['content-length'] ?? 0) > 0;
}

function toBody(value: unknown): Body {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { kind: 'object', value: value as Record<string, unknown> };
  }
  return refuse('malformed_request', 'the body must be one JSON object');
}

/**
 * body-parser names its errors by `type`; everything that is not about size or encoding is a body
 * that is not JSON.
 */
function refused(error: unknown, bytesMax: number): Body {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return tooLarge(bytesMax);
    case EMPTY:
      return NONE;
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return refuse(...ENCODED);
    case REPEATED_NAME: {
      const name = JSON.stringify((error as Error).message.slice(0, NAME_CHARS_MAX));
      return refuse('malformed_request', `the body has the name ${name} twice in one object: send one of the two`);
    }
    default:
      return refuse('malformed_request', 'the body must be one JSON object, complete and well formed');
  }
}

function tooLarge(bytesMax: number): Body {
  return refuse('body_too_large', `the body must be at most ${bytesMax} bytes`);
}

function refuse(code: Problem['code'], message: string): Body {
  return { kind: 'refused', problem: new Problem(code, message) };
}
