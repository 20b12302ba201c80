import { OutsideError } from '#domain/errors';

/**
 * The venue answered, and what it said of a wallet cannot be read or contradicts itself: it is
 * asked again later, and nothing is made of it.
 */
export class Unreadable extends OutsideError {
  constructor(why: string) {
    super('trades', why, { failure: 'retryable' });
  }
}
