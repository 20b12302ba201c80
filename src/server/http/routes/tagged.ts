import { createHash } from 'node:crypto';
import type { DoorRequest } from '#doors/request';
import type { Answer, HeaderPairs } from '#doors/route';

/** What is answered to whoever asks for it, or has it already. */
export interface Tagged {
  readonly etag: string;
  readonly full: Answer;
  readonly notModified: Answer;
}

/** Headers that belong to the body alone: a 304 has none of them. */
interface Content extends Pick<Answer, 'body'> {
  /** Of what is not JSON. */
  readonly contentType?: string | undefined;
  readonly coding?: HeaderPairs;
}

/** Returns both answers of a body with its ETag. `about`: what they have in common. */
export function taggedAnswers(
  { body, contentType, coding = [] }: Content,
  { headers = [], ...about }: Pick<Answer, 'cacheControl' | 'page' | 'headers'>,
): Tagged {
  const etag = etagOf(body);
  const common = ['ETag', etag, ...headers];
  const typed = contentType === undefined ? {} : { contentType };
  return {
    etag,
    full: { status: 200, body, ...typed, ...about, headers: [...common, ...coding] },
    notModified: { status: 304, body: '', ...about, headers: common },
  };
}

/** Returns the whole, or 304 to a reader that has it. */
export function answerTagged({ headers }: Pick<DoorRequest, 'headers'>, { etag, full, notModified }: Tagged): Answer {
  return matchesEtag(headers['if-none-match'], etag) ? notModified : full;
}

/** Returns the tag of a document: the same text or bytes always get the same. */
function etagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether a list of tags, as it came, has this one (RFC 9110, 13.1.2: compared weakly). */
function matchesEtag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
