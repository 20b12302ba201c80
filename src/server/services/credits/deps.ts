import type { Clock } from '#ports/clock';
import type { MessageSigner } from '#ports/message-signer';
import type { Random } from '#ports/random';
import type { Store } from '#ports/store';
import type { StoreKey } from '#ports/store-key';

/** What the credits service needs from outside. */
export interface CreditsDeps {
  readonly store: Store;
  readonly key: StoreKey;
  readonly signer: MessageSigner;
  readonly clock: Clock;
  readonly random: Random;
}
