import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../answers.js';

const NOTES = {
  stale: 'This is an old answer: send no order on it, and make the call again.',
  cached: 'This answer was kept from an earlier call and cost nothing; it stands until its next_refresh_at.',
  sandbox: 'This is a fixed example and no live answer.',
} as const;

/**
 * Returns an answer as the result of a tool: the service's bytes as text, the same as structure,
 * and what has to be known before it is acted upon, in words for the model and in `_meta` for the
 * host.
 */
export function answerResult({ body, text, lane, stale, cached }: Answer<unknown>): CallToolResult {
  const notes = [
    ...(stale ? [NOTES.stale] : []),
    ...(cached ? [NOTES.cached] : []),
    ...(lane === 'sandbox' ? [NOTES.sandbox] : []),
  ];
  return {
    content: [text, ...notes].map((said) => ({ type: 'text', text: said })),
    structuredContent: body as Record<string, unknown>,
    _meta: { lane, stale, cached },
  };
}
