import { createHash } from 'node:crypto';
import { systemRandom } from '#adapters/process/system-random';
import { type Bearer, SECRET_BYTES } from '#domain/credits/token';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Store } from '#ports/store';
import type { ChargeRequest } from '#services/credits/charges';
import { type Credits, createCredits } from '#services/credits/credits';
import { nameOfCode } from '#services/credits/promo-names';
import { decidePurchase, type PurchaseDecision } from '#services/credits/purchase';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { samplePayment } from '#test/contract/support/sample-payment';
import { CREDIT_SECRETS } from '#test/support/store-secrets';

/** Credits over a real store in a directory of its own, with a clock that the test moves. */
export interface CreditsBench {
  readonly credits: Credits;
  readonly store: Store;
  readonly path: string;
  readonly clock: Clock & { set(atMs: number): void; add(ms: number): void };
  remove(): Promise<void>;
}

export const START_MS = 1_800_000_000_000;

export async function makeCredits(): Promise<CreditsBench> {
  const fixture = await makeLmdbFixture();
  const store = await fixture.open();
  let nowMs = START_MS;
  const clock = {
    nowMs: () => nowMs,
    elapsedMs: () => nowMs,
    set: (atMs: number) => {
      nowMs = atMs;
    },
    add: (ms: number) => {
      nowMs += ms;
    },
  };
  const credits = createCredits({ store, ...CREDIT_SECRETS, clock, random: countingRandom() });
  return { credits, store, path: fixture.path, clock, remove: fixture.remove };
}

/** Bytes that never repeat and are the same in each run. */
function countingRandom(): Random {
  let calls = 0;
  return {
    next: () => 0.5,
    bytes: (length) => new Uint8Array(createHash('sha256').update(`dice ${calls++}`).digest().subarray(0, length)),
  };
}

/**
 * Returns who has a token of this wallet: one that was bought, or one that came with a promo code.
 */
export const bearerOf = (wallet: WalletAddress, code: string | null = null): Bearer => ({
  wallet,
  scope: code === null ? 'purchase' : 'promo',
  code: code === null ? null : nameOfCode(CREDIT_SECRETS, code),
});

let payments = 0;

/**
 * Buys a credit pack as a settled payment does: the row becomes SETTLED in the transaction that
 * gives the credits, and one that is SETTLED already gives what it gave before.
 */
export async function buyPack(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  wallet: WalletAddress,
  row = samplePayment(++payments, { operation: 'credits' }, wallet),
): Promise<PurchaseDecision['facts']> {
  const nowMs = clock.nowMs();
  const secret = systemRandom.bytes(SECRET_BYTES);
  return store.transact({ payment: row.key, account: wallet, tokens: wallet }, (rows) => {
    const earlier = rows.payment?.state === 'SETTLED' ? rows.payment.body : null;
    if (earlier !== null) return { writes: {}, result: JSON.parse(earlier) as PurchaseDecision['facts'] };
    const transaction = `0x${row.payment.authorization.nonce.slice(2)}`;
    const settled = { wallet, requestId: row.requestId, transaction, nowMs, secret };
    const { writes, facts } = decidePurchase(rows, settled);
    const payment: PaymentRow = { ...row, state: 'SETTLED', body: JSON.stringify(facts), transaction, open: false };
    return { writes: { ...writes, payment }, result: facts };
  });
}

/**
 * A charge of one credit to wallet 1, with what a test wants otherwise. The body tells what was
 * paid.
 */
export function request(facts: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    bearer: bearerOf(walletNumber(1)),
    tool: 'preflight_trade',
    credits: 1,
    requestId: 'request-1',
    idempotency: null,
    render: ({ creditsUsed, creditsRemaining }) => JSON.stringify({ creditsUsed, creditsRemaining }),
    ...facts,
  };
}
