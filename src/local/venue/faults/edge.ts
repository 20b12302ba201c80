import type { Response } from 'express';
import type { Random } from '#system/random';
import { pick } from '../market/seeded-random.js';

interface EdgeAnswer {
  readonly status: number;
  readonly title: string;
  readonly words: string;
  readonly retryAfterS?: number;
}

/** How an edge in front of the venue answers in its place. It knows nothing of markets. */
const EDGE_ANSWERS: readonly [EdgeAnswer, ...EdgeAnswer[]] = [
  { status: 403, title: 'Attention Required! | Cloudflare', words: 'Sorry, you have been blocked' },
  { status: 404, title: '404 Not Found', words: 'The page that you look for is not here' },
  { status: 429, title: 'Too many requests', words: 'You are being rate limited', retryAfterS: 1 },
];

/** Answers with one of the edge's pages of HTML; a 429 says when to come again. */
export function answerAsEdge(response: Response, dice: Random): void {
  const { status, title, words, retryAfterS } = pick(dice, EDGE_ANSWERS);
  if (retryAfterS !== undefined) response.set('retry-after', String(retryAfterS));
  response.removeHeader('cache-control');
  response
    .status(status)
    .type('html')
    .send(`<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${words}</h1></body></html>\n`);
}
