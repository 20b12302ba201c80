import type { MarketFrame } from '#domain/book/book';
import { AnyOrderScanner } from './scan-any-order.js';
import { UsualOrderScanner } from './scan-usual-order.js';

/**
 * Reads `price_change` frames in today's form off their bytes, without JSON.parse: nine of ten
 * frames are of this kind. First in the layouts that the venue was seen to use, then in any. Of
 * everything else it says null, and the parser of all frames decides; so what it does return is
 * what that one would.
 */
export class PriceChangeScanner {
  readonly #usual = new UsualOrderScanner();
  readonly #any = new AnyOrderScanner();

  /** Returns the frame, or null for one that is not as usual. */
  scan(bytes: Buffer): MarketFrame | null {
    return this.#usual.scan(bytes) ?? this.#any.scan(bytes);
  }
}
