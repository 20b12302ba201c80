import type { Rating } from './rating.js';
import type { Strength } from './strength/strength.js';
import type { Unseen } from './unseen.js';

/** A rating as it is kept and answered from. */
export interface StoredRating {
  readonly rating: Rating;
  /** The venue's public name of the wallet; null if it gave none. */
  readonly name: string | null;
  readonly computedAtMs: number;
  /** Hash of the cut-offs. */
  readonly config: string;
  /** What was not seen of this wallet; absent: nothing that is known of. */
  readonly unseen?: Unseen;
  /** The second mark of a COPY; absent: it has none. */
  readonly strength?: Strength;
}
