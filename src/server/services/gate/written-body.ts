import { WrittenAnswer } from '#api/written-answer';
import { nextRefreshOf } from './answer-times.js';

/** Returns a body as text that is kept and sent to many, each with a `paid` of its own. */
export function writeBody(body: object): WrittenAnswer {
  return new WrittenAnswer(JSON.stringify(body).slice(0, -1), nextRefreshOf(body));
}
