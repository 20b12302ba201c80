import { createHash } from 'node:crypto';
import { Problem } from '#domain/errors';
import type { PaymentKey, SignedPayment } from '#domain/payment/payment';
import { rateKey } from '#domain/rate-key';
import type { Stopwatch } from '#system/stopwatch';
import { CountedLimit } from '../counted-limit.js';

/** A shorter Idempotency-Key could be guessed, and is no secret. */
export const SECRET_KEY_LENGTH_MIN = 16;
/**
 * Different wrong guesses that one caller may make about one payment within an hour: other
 * requests, and secrets that a client has chosen. Beyond, none of its guesses is right.
 */
export const WRONG_GUESSES_MAX = 10;
const WRONG_GUESSES_WINDOW_S = 3_600;

/** What a request carries that the chain does not show. */
export interface BuyerSecrets {
  /**
   * What is kept with a payment that this request begins: the SHA-256 of each of its secrets, with
   * blanks between them; null: it carries none.
   */
  readonly stored: string | null;
  /**
   * Our own, as the terms gave it (SHA-256); null: none. It is long and random: nobody guesses it.
   */
  readonly echoed: string | null;
  /**
   * What others may guess (SHA-256): what the client chose, and what it sends back of terms that
   * today's key of the store did not make.
   */
  readonly chosen: readonly string[];
}

/**
 * Returns the secrets of a request: what it sends back of the terms, its payment-identifier, its
 * Idempotency-Key. What it claims to send back is kept only if it was issued here: anything else
 * might be a constant of its client.
 */
export function buyerSecrets(
  { purchaseSecret, paymentIdentifier }: SignedPayment,
  idempotencyKey: string | null,
  isOurs: (secret: string) => boolean,
): BuyerSecrets {
  const isLong = idempotencyKey !== null && idempotencyKey.length >= SECRET_KEY_LENGTH_MIN;
  const echo = purchaseSecret !== undefined && isOurs(purchaseSecret) ? purchaseSecret : null;
  const strong = [echo, paymentIdentifier, isLong ? idempotencyKey : null].filter((one) => one !== null);
  const earlier = echo === null ? (purchaseSecret ?? null) : null;
  const chosen = [paymentIdentifier, idempotencyKey, earlier].filter((one) => one !== null);
  return {
    stored: strong.length === 0 ? null : strong.map(hash).join(' '),
    echoed: echo === null ? null : hash(echo),
    chosen: chosen.map(hash),
  };
}

/**
 * Returns what is wrong with the key of a new purchase: it would be its only secret and is too
 * short; null: nothing.
 */
export function shortKeyFault(
  { purchaseSecret, paymentIdentifier }: SignedPayment,
  idempotencyKey: string | null,
  isOurs: (secret: string) => boolean,
): Problem | null {
  if (idempotencyKey === null) return null;
  const hasOther = paymentIdentifier !== null || (purchaseSecret !== undefined && isOurs(purchaseSecret));
  if (hasOther || idempotencyKey.length >= SECRET_KEY_LENGTH_MIN) return null;
  const text =
    `the Idempotency-Key of a purchase must be at least ${SECRET_KEY_LENGTH_MIN} characters that cannot be guessed: ` +
    'a repeat that carries it is shown the token; nothing was charged';
  return new Problem('invalid_parameter', text);
}

/** What a caller has to do with a payment that it sends again. */
interface Repeat {
  readonly key: PaymentKey;
  /** Network address of who repeats it. */
  readonly caller: string;
}

/** Compares what repeats carry with what their payment was made with, a bounded number of times. */
export class BuyerProofs {
  readonly #wrong: CountedLimit;
  /** One that is made again tells nothing new, so it is counted once. */
  readonly #made: CountedLimit;

  constructor(stopwatch: Stopwatch) {
    this.#wrong = new CountedLimit({ windowS: WRONG_GUESSES_WINDOW_S, max: WRONG_GUESSES_MAX }, stopwatch);
    this.#made = new CountedLimit({ windowS: WRONG_GUESSES_WINDOW_S, max: 1 }, stopwatch);
  }

  /**
   * Whether a request proves to be the buyer's. `stored`: what the payment was made with; null:
   * nothing. By address, so that nobody's guesses stand against the buyer's own secret.
   */
  isBuyer(repeat: Repeat, stored: string | null, { echoed, chosen }: BuyerSecrets): boolean {
    if (stored === null) return false;
    const hashes = stored.split(' ');
    if (echoed !== null && hashes.includes(echoed)) return true;
    if (chosen.length === 0 || this.hasGuessedEnough(repeat)) return false;
    if (chosen.some((one) => hashes.includes(one))) return true;
    this.noteWrong(repeat, chosen.join(' '));
    return false;
  }

  /** Counts a guess that was wrong: another request, or another secret. */
  noteWrong(repeat: Repeat, guess: string): void {
    const name = nameOf(repeat);
    const made = `${name} ${guess}`;
    if (this.#made.waitS(made) !== null) return;
    this.#made.note(made);
    this.#wrong.note(name);
  }

  hasGuessedEnough(repeat: Repeat): boolean {
    return this.#wrong.waitS(nameOf(repeat)) !== null;
  }
}

function nameOf({ key, caller }: Repeat): string {
  return `${key} ${rateKey(caller)}`;
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
