import type { MessageSigner } from '#ports/message-signer';
import type { Store } from '#ports/store';
import type { StoreKey } from '#ports/store-key';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';

/** What the credits service needs from outside. */
export interface CreditsDeps {
  readonly store: Store;
  readonly key: StoreKey;
  readonly signer: MessageSigner;
  /** What is made here is dated by it. */
  readonly clock: Clock;
  /** What lapses here lapses by it; absent: by `clock`. */
  readonly lapses?: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}
