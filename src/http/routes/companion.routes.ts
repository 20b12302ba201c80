import type { CompanionFile } from '#companions/companion-file';
import type { Companion } from '#companions/companion-files';
import type { Answer, Route } from '#doors/route';
import { etagOf, matchesEtag } from './etag.js';

/** GET of each document, with an ETag: a client that has it already gets a 304. */
export function companionRoutes(companions: readonly Companion[]): readonly Route[] {
  return companions.map(({ path, make, version }) => {
    let made: Made | null = null;
    const GET = ({ headers }: { headers: { readonly 'if-none-match'?: string | undefined } }) => {
      const now = version();
      if (made === null || made.version !== now) made = { version: now, ...answersOf(make()) };
      return matchesEtag(headers['if-none-match'], made.etag) ? made.notModified : made.full;
    };
    return { path, methods: { GET } };
  });
}

/** The answers of a document, made once per version. */
type Made = ReturnType<typeof answersOf> & { readonly version: string };

function answersOf({ body, contentType, cacheSeconds }: CompanionFile) {
  const etag = etagOf(body);
  const headers = ['ETag', etag];
  const cacheControl = `public, max-age=${cacheSeconds}`;
  const full: Answer = { status: 200, body, contentType, cacheControl, headers };
  const notModified: Answer = { status: 304, body: '', cacheControl, headers };
  return { full, notModified, etag };
}
