import { type HashableBook, hashedText } from '#domain/book/hashed-text';
import { digestHex } from './evidence/digest.js';

/**
 * The arithmetic of the service, for whoever computes its verdicts and ratings themselves: pure
 * functions, the same that the service runs. What is exported here is stable.
 */
export type { Level } from '#domain/book/book';
export { crossedBook, Ladder } from '#domain/book/ladder';
export { gatherFacts, type OrderQuestion } from '#domain/order/gather-facts';
export type { OrderFacts } from '#domain/order/order-facts';
export { rateSums } from '#domain/rating/rate-sums';
export { RATING_CONFIG } from '#domain/rating/rating-config';
export { sumWallet } from '#domain/rating/sum-wallet';
export { type Assessment, assess } from '#judge/assess';
export type { Check } from './evidence/check.js';
export { type EvidenceJwk, type EvidenceJwks, parseJwks } from './evidence/jws.js';
export { OWN_ENGINE } from './evidence/own-engine.js';
export type { VerifyOptions } from './evidence/signed.js';
export { type Verification, verifyAnswer } from './evidence/verify.js';

/**
 * Returns the venue's hash of a book, 40 hexadecimal digits; null if a field that it covers was
 * never given.
 */
export async function bookHash(book: HashableBook): Promise<string | null> {
  const text = hashedText(book);
  return text === null ? null : digestHex('SHA-1', text);
}
