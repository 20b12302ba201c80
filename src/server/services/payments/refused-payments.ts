import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '#domain/ids';
import { rateKey } from '#domain/rate-key';
import type { Signer } from '#ports/settlement';
import type { Stopwatch } from '#system/stopwatch';
import { CountedLimit } from '../counted-limit.js';
import { lruOptions } from '../lru-options.js';

/**
 * Payments of one network address that may come to nothing in a minute, of those that a key signed
 * and of the others: each of them costs a question to a facilitator or to the chain.
 */
export const REFUSED_PAYMENTS_LIMIT = { windowS: 60, max: 30 } as const;
/** What is answered for free counts for so much less: whoever waits for a rating asks often. */
const FREE_PER_REFUSED = 10;
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

/**
 * Remembers whose payments were refused. A wallet that was last seen to pay is let through from
 * wherever it comes: strangers behind its address cannot shut it out.
 */
export class RefusedPayments {
  readonly #refused: CountedLimit;
  readonly #good = new LRUCache<WalletAddress, true>(lruOptions(GOOD_PAYERS_MAX));
  /** Payers whose own payments came to nothing of late. */
  readonly #noted: LRUCache<WalletAddress, true>;

  constructor(stopwatch: Stopwatch) {
    const { windowS, max } = REFUSED_PAYMENTS_LIMIT;
    this.#refused = new CountedLimit({ windowS, max: max * FREE_PER_REFUSED }, stopwatch);
    const perf = { now: () => stopwatch.elapsedMs() };
    this.#noted = new LRUCache({ ...lruOptions(NOTED_PAYERS_MAX), ttl: windowS * 1e3, ttlResolution: 0, perf });
  }

  /** Seconds until such a payment is looked at again; null: it is now. */
  waitS(sender: Sender): number | null {
    const isKnown = sender.signer === 'key' && this.#good.peek(sender.payer) === true;
    return isKnown ? null : this.#refused.waitS(nameOf(sender));
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
