import { statSync } from 'node:fs';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import { creditsPath, openCredits } from '#compose/credits';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import { walletOf } from '#local/venue/market/deterministic-ids';
import type { Store } from '#ports/store';
import type { Credits } from '#services/credits/credits';
import { samplePayment } from '#test/contract/support/sample-payment';
import { withDataDir } from './support/data-dir.js';
import { type Section, show, table } from './support/report.js';
import { progress } from './support/rounds.js';

const ROWS = 20_000;
/** Changes that are asked for at once, as many as one transaction takes. */
const AT_ONCE = 500;
const WALLETS = 1_000;
const ANSWER = JSON.stringify(ORDER_VERDICT_EXAMPLE);

interface Ledger {
  readonly credits: Credits;
  readonly store: Store;
}

/** What is written for the n-th call. */
type Write = (ledger: Ledger, n: number) => Promise<unknown>;

const wallet = (n: number) => walletOf(`disk ${n % WALLETS}`) as WalletAddress;

const charged =
  (withKey: boolean): Write =>
  ({ credits }, n) =>
    credits.charge({
      bearer: { wallet: wallet(n), scope: 'purchase', code: null },
      tool: 'preflight_trade',
      credits: 1,
      requestId: n.toString(16).padStart(24, '0'),
      idempotency: withKey ? { key: `order-${n}-0123456789`, fingerprint: 'f'.repeat(64) } : null,
      render: () => ANSWER,
    });

const paid =
  (stored: Pick<PaymentRow, 'answer' | 'body'>): Write =>
  ({ store }, n) => {
    const settled = { state: 'SETTLED', open: false, transaction: `0x${'cd'.repeat(32)}`, ...stored } as const;
    const payment = samplePayment(n, settled, wallet(n));
    return store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
  };

const WRITES: Readonly<Record<string, Write>> = {
  'order verdict from credits: a ledger entry, for good': charged(false),
  'the same with an Idempotency-Key: its answer besides, for 24 hours': charged(true),
  'order verdict by x402: its answer besides, for 7 days': paid({ answer: ANSWER, body: ANSWER }),
  'order verdict by x402, after that: the payment, for good': paid({ answer: '', body: null }),
};

/**
 * Measures what 1,000 calls add to credits.lmdb. What is removed leaves room in the file, which it
 * does not give back.
 */
export async function benchDisk(): Promise<Section> {
  const rows: string[][] = [];
  for (const [what, write] of Object.entries(WRITES)) {
    progress(`disk: ${what}`);
    const bytes = await bytesOf(write);
    rows.push([what, show(((bytes / ROWS) * 1_000) / 1e6)]);
  }
  const head = ['MB of credits.lmdb for 1,000 calls', 'MB'];
  return {
    title: 'Disk',
    texts: [`${show(ROWS)} calls of ${show(WALLETS)} wallets each.`, table(head, rows)],
    goals: [],
  };
}

function bytesOf(write: Write): Promise<number> {
  return withDataDir(async (dataDir) => {
    const { credits, store } = openCredits(dataDir);
    await Promise.all(Array.from({ length: WALLETS }, (_, n) => credits.grant(wallet(n), ROWS, 365, 'disk')));
    const sizeBytes = () => statSync(creditsPath(dataDir)).size;
    const before = sizeBytes();
    for (let n = 0; n < ROWS; n += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => write({ credits, store }, n + i)));
    }
    const grown = sizeBytes() - before;
    await store.close();
    return grown;
  });
}
