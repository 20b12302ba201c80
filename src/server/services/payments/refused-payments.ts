import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '#domain/ids';
import { rateKey } from '#domain/rate-key';
import type { Signer } from '#ports/settlement';
import type { Stopwatch } from '#system/stopwatch';
import { CountedLimit } from '../counted-limit.js';
import { lruOptions } from '../lru-options.js';
import type { Limit } from '../with-timeout.js';
import { PointsOut } from './points-out.js';

/**
 * Payments of one network address that may come to nothing in a minute, of those that a key signed
 * and of the others: each of them costs a question to a facilitator or to the chain.
 */
export const REFUSED_PAYMENTS_LIMIT = { windowS: 60, max: 30 } as const;
/** What is answered for free counts for so much less: whoever waits for a rating asks often. */
const FREE_PER_REFUSED = 10;
const POINTS_MAX = REFUSED_PAYMENTS_LIMIT.max * FREE_PER_REFUSED;
/** Those before it are verified by then. */
const OUT_RETRY_AFTER_S = 2;
/** Wallets that are known to pay. */
const GOOD_PAYERS_MAX = 10_000;
const NOTED_PAYERS_MAX = 10_000;

/** Who sends a payment, in whose name, and who signed it. */
export interface Sender {
  /** Network address. */
  readonly caller: string;
  readonly payer: WalletAddress;
  readonly signer: Signer;
}

/** Whether a payment may cost its address something now. */
type Taken =
  /** `giveBack` must be called once it is known what came of it, after it was noted. */
  | { readonly kind: 'taken'; readonly giveBack: () => void }
  /** `areOut`: others of the address are in work, and may come to something. */
  | { readonly kind: 'full'; readonly retryAfterS: number; readonly areOut: boolean };

const NOTHING_TAKEN: Taken = { kind: 'taken', giveBack: () => undefined };

/**
 * Remembers whose payments were refused, and takes into account those that may yet be. A wallet that
 * was last seen to pay is let through from wherever it comes: strangers behind its address cannot
 * shut it out.
 */
export class RefusedPayments {
  readonly #refused: CountedLimit;
  readonly #out = new PointsOut();
  readonly #good = new LRUCache<WalletAddress, true>(lruOptions(GOOD_PAYERS_MAX));
  /** Payers whose own payments came to nothing of late. */
  readonly #noted: LRUCache<WalletAddress, true>;

  constructor(stopwatch: Stopwatch) {
    const { windowS } = REFUSED_PAYMENTS_LIMIT;
    this.#refused = new CountedLimit({ windowS, max: POINTS_MAX }, stopwatch);
    const perf = { now: () => stopwatch.elapsedMs() };
    this.#noted = new LRUCache({ ...lruOptions(NOTED_PAYERS_MAX), ttl: windowS * 1e3, ttlResolution: 0, perf });
  }

  /** Takes the points of a payment before it costs anybody a question. */
  take(sender: Sender): Taken {
    if (sender.signer === 'key' && this.#good.peek(sender.payer) === true) return NOTHING_TAKEN;
    const name = nameOf(sender);
    const retryAfterS = this.#refused.waitS(name);
    if (retryAfterS !== null) return { kind: 'full', retryAfterS, areOut: false };
    if (this.#refused.countOf(name) + this.#out.of(name) * FREE_PER_REFUSED >= POINTS_MAX) {
      return { kind: 'full', retryAfterS: OUT_RETRY_AFTER_S, areOut: true };
    }
    return { kind: 'taken', giveBack: this.#out.take(name) };
  }

  /** Resolves when such a payment may try again to take its points; false: too many wait already. */
  turn(sender: Sender, limit: Limit): Promise<boolean> {
    return this.#out.turn(nameOf(sender), limit);
  }

  /**
   * Whether it is the address alone that was counted, and not this wallet, whose key has signed: then
   * it is let through if it has the money.
   */
  isNew({ signer, payer }: Sender): boolean {
    return signer === 'key' && !this.#noted.has(payer);
  }

  noteRefused(sender: Sender): void {
    this.#refused.note(nameOf(sender), FREE_PER_REFUSED);
    this.#notePayer(sender);
    if (sender.signer === 'key') this.#good.delete(sender.payer);
  }

  /** A good payment for which there was nothing to pay. */
  noteFree(sender: Sender): void {
    this.#refused.note(nameOf(sender));
    this.#notePayer(sender);
  }

  noteGood({ payer, signer }: Sender): void {
    if (signer === 'key') this.#good.set(payer, true);
  }

  /** Anybody can write another's address into a payment: what no key signed is not its wallet's. */
  #notePayer({ payer, signer }: Sender): void {
    if (signer === 'key') this.#noted.set(payer, true);
  }
}

/** Anybody can send what no key signed, so that it is counted by itself. */
function nameOf({ signer, caller }: Sender): string {
  return `${signer} ${rateKey(caller)}`;
}
