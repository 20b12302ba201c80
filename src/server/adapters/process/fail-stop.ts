import { say } from './say.js';

/**
 * Says in one sentence why this process may not go on and ends it with code 1, before it answers
 * anything more.
 */
export function failStop(sentence: string): never {
  say(sentence);
  process.exit(1);
}
