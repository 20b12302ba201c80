import type { OpenStream } from './follow-book.js';

/**
 * Opens a stream with fetch, which tells status and body of a refusal; EventSource would tell
 * neither.
 */
export const openStream: OpenStream = async (path, signal) => {
  const headers = { accept: 'text/event-stream' };
  const response = await fetch(path, { headers, signal, cache: 'no-store', credentials: 'omit', redirect: 'error' });
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    retryAfterS: Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
    texts: textsOf(response),
  };
};

async function* textsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}
