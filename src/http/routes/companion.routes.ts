import { createHash } from 'node:crypto';
import type { CompanionFile } from '#companions/companion-file';
import type { Companion } from '#companions/companion-files';
import type { Answer, Route } from '#doors/route';

/** GET of each document, with an ETag: a client that has it already gets a 304. */
export function companionRoutes(companions: readonly Companion[]): readonly Route[] {
  return companions.map(({ path, make, version }) => {
    let made: Made | null = null;
    const GET = ({ headers }: { headers: { readonly 'if-none-match'?: string | undefined } }) => {
      const now = version();
      if (made === null || made.version !== now) made = { version: now, ...answersOf(make()) };
      return matches(headers['if-none-match'], made.etag) ? made.notModified : made.full;
    };
    return { path, methods: { GET } };
  });
}

/** The answers of a document, made once per version. */
type Made = ReturnType<typeof answersOf> & { readonly version: string };

function answersOf({ body, contentType, cacheSeconds }: CompanionFile) {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = ['ETag', etag];
  const cacheControl = `public, max-age=${cacheSeconds}`;
  const full: Answer = { status: 200, body, contentType, cacheControl, headers };
  const notModified: Answer = { status: 304, body: '', cacheControl, headers };
  return { full, notModified, etag };
}

/** Whether a list of tags, as it came, has this one (RFC 9110, 13.1.2: compared weakly). */
function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
