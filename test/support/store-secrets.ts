import { messageSigner } from '#adapters/chain/message-signer';
import { createStoreKey } from '#adapters/keys/store-key';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { createPackTokens } from '#services/payments/pack-token';
import { createPurchaseSecrets } from '#services/payments/purchase-secret';
import type { Clock } from '#system/clock';

/** The key of a store whose file nobody looks at. */
export const STORE_KEY = createStoreKey(new Uint8Array(32).fill(7));

/** What payments make of the key of a store. */
export const paymentSecrets = (clock: Pick<Clock, 'nowMs'> = systemClock, key = STORE_KEY) => ({
  packTokens: createPackTokens(key),
  purchaseSecrets: createPurchaseSecrets(key, { clock, random: systemRandom }),
});

/** What the credits service takes beside its store. */
export const CREDIT_SECRETS = { key: STORE_KEY, signer: messageSigner };
