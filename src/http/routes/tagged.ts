import type { DoorRequest } from '#doors/request';
import type { Answer } from '#doors/route';
import { etagOf, matchesEtag } from './etag.js';

/**
 * Returns what answers with a JSON text and its ETag, or with 304 to a reader that has it. The tag is made anew only with the
 * text, so the same text should be the same string.
 */
export function tagged(
  textOf: () => string | Promise<string>,
  cacheSeconds: number,
): (req: DoorRequest) => Promise<Answer> {
  let known = { text: '', etag: '' };
  return async ({ headers }) => {
    const text = await textOf();
    if (text !== known.text || known.etag === '') known = { text, etag: etagOf(text) };
    const { etag } = known;
    const about = { cacheControl: `public, max-age=${cacheSeconds}`, headers: ['ETag', etag] };
    if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, body: '', ...about };
    return { status: 200, body: text, ...about };
  };
}
