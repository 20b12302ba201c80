import { statSync } from 'node:fs';
import { open } from 'lmdb';
import { systemClock } from '#adapters/process/system-clock';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import { PROFILE_EXAMPLES } from '#api/sandbox/sandbox-profile';
import { creditsPath, openCredits } from '#compose/credits';
import type { WalletAddress } from '#domain/ids';
import type { PaymentRow } from '#domain/payment/payment-row';
import { walletOf } from '#local/venue/market/deterministic-ids';
import type { Store, Swept } from '#ports/store';
import type { Credits } from '#services/credits/credits';
import { samplePayment } from '#test/contract/support/sample-payment';
import { withDataDir } from './support/data-dir.js';
import { type Section, show, table } from './support/report.js';
import { progress } from './support/rounds.js';

const CALLS = 20_000;
/** Changes that are asked for at once, as many as one transaction takes. */
const AT_ONCE = 500;
const WALLETS = 1_000;
/** A multiple of the calls of a round, and more than are under way at once. */
const REPEATED_AFTER = 1_000;
const ROWS_PER_LOOK = 1_000;
/** Later than anything that is kept for a time. */
const LATER_MS = 8 * 86_400_000;

const ORDER = JSON.stringify(ORDER_VERDICT_EXAMPLE);
const PROFILE = JSON.stringify(PROFILE_EXAMPLES.STEADY);

interface Ledger {
  readonly credits: Credits;
  readonly store: Store;
}

/** What is written for the n-th call. */
type Write = (ledger: Ledger, n: number) => Promise<unknown>;

const wallet = (n: number) => walletOf(`disk ${n % WALLETS}`) as WalletAddress;

const charged =
  (tool: string, answer: string, withKey: boolean): Write =>
  ({ credits }, n) =>
    credits.charge({
      bearer: { wallet: wallet(n), scope: 'purchase', code: null },
      tool,
      credits: 1,
      requestId: n.toString(16).padStart(24, '0'),
      idempotency: withKey ? { key: `order-${n}-0123456789`, fingerprint: 'f'.repeat(64) } : null,
      render: () => answer,
    });

/** Writes nothing: a repeat of the call that came before one of long ago. */
function repeatOf(write: Write): Write {
  return async (ledger, n) => {
    const former = n - REPEATED_AFTER - 1;
    return former < 0 ? null : write(ledger, former);
  };
}

const paymentOf = (n: number, facts: Partial<PaymentRow>) => {
  const atMs = systemClock.nowMs();
  return samplePayment(n, { createdAtMs: atMs, updatedAtMs: atMs, ...facts }, wallet(n));
};

/** A payment is claimed under its name, sent with its answer, settled and proven. */
const paid: Write = async ({ store }, n) => {
  const settled = {
    state: 'SETTLED',
    open: false,
    answer: ORDER,
    body: ORDER,
    transaction: `0x${n.toString(16).padStart(64, '0')}`,
  } as const;
  const proof = {
    kind: 'proven',
    transaction: settled.transaction,
    blockNumber: 30_000_000,
    logIndex: 7,
    isFinal: true,
  } as const;
  const claimed = paymentOf(n, { state: 'CLAIMED', answer: '' });
  const code = 'purchase identifier';
  const name = { wallet: wallet(n), code, key: `payment-${n}`, fingerprint: 'f'.repeat(64), body: claimed.key };
  const purchases = [{ ...name, expiresAtMs: claimed.createdAtMs + 7 * 86_400_000 }];
  await store.transact({ payment: claimed.key, purchases }, () => ({
    writes: { payment: claimed, purchases },
    result: null,
  }));
  for (const facts of [{ answer: ORDER }, settled, { ...settled, proof }]) {
    const payment = paymentOf(n, facts);
    await store.transact({ payment: payment.key }, () => ({ writes: { payment }, result: null }));
  }
};

const WITHOUT_KEY = charged('preflight_trade', ORDER, false);
const WITH_KEY = charged('preflight_trade', ORDER, true);
const OF_WALLET = charged('preflight_wallet', PROFILE, true);
/** Repeats of the call before this one in the mix. */
const REPEAT = repeatOf(WITH_KEY);
const PAID_REPEAT = repeatOf(({ store }, n) => store.payment(paymentOf(n, {}).key));

const ROUND: readonly Write[] = [
  ...[WITHOUT_KEY, WITH_KEY, REPEAT, WITHOUT_KEY, paid, PAID_REPEAT, WITHOUT_KEY, WITH_KEY, REPEAT, WITHOUT_KEY],
  ...[WITH_KEY, REPEAT, OF_WALLET, WITHOUT_KEY, paid, WITHOUT_KEY, WITH_KEY, WITHOUT_KEY, WITH_KEY, OF_WALLET],
];

const LOADS: Readonly<Record<string, Write>> = {
  'order verdict from credits': WITHOUT_KEY,
  'the same with an Idempotency-Key': WITH_KEY,
  'wallet answer from credits, with a key': OF_WALLET,
  'order verdict by x402': paid,
  mixed: (ledger, n) => ROUND[n % ROUND.length]!(ledger, n),
};
const MIX =
  'Mixed, of 20 calls: 7 order verdicts from credits, 5 with an Idempotency-Key, 2 by x402, 2 wallet answers with a ' +
  'key, 3 repeats of a key and 1 of a payment.';

/**
 * Measures what a call adds to credits.lmdb, and what of that is rows that stay: the rest is free
 * again when the time of its answer is over, in a file that does not become smaller.
 */
export async function benchDisk(): Promise<Section> {
  const rows: string[][] = [];
  for (const [what, write] of Object.entries(LOADS)) {
    progress(`disk: ${what}`);
    const { added, stays } = await bytesOf(write);
    rows.push([what, ...[added, stays].map((bytes) => show(bytes / CALLS / 1e3))]);
  }
  const head = ['kB of credits.lmdb for a call', 'with its answer', 'for good'];
  return {
    title: 'Disk',
    texts: [`${show(CALLS)} calls of ${show(WALLETS)} wallets each. ${MIX}`, table(head, rows)],
    goals: [],
  };
}

function bytesOf(write: Write): Promise<{ readonly added: number; readonly stays: number }> {
  return withDataDir(async (dataDir) => {
    const path = creditsPath(dataDir);
    const within = async (work: (ledger: Ledger) => Promise<unknown>) => {
      const { credits, store } = openCredits(dataDir);
      await work({ credits, store });
      await store.close();
      return { fileBytes: statSync(path).size, usedBytes: await usedBytes(path) };
    };
    const before = await within(({ credits }) =>
      Promise.all(Array.from({ length: WALLETS }, (_, n) => credits.grant(wallet(n), CALLS, 365, 'disk'))),
    );
    const { fileBytes } = await within(async (ledger) => {
      for (let n = 0; n < CALLS; n += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => write(ledger, n + i)));
      }
    });
    const later = systemClock.nowMs() + LATER_MS;
    const { usedBytes: left } = await within(async ({ store }) => {
      await removeAll((limit) => store.sweepAnswers(later, limit));
      await removeAll((limit) => store.trimPayments(later, limit));
    });
    return { added: fileBytes - before.fileBytes, stays: left - before.usedBytes };
  });
}

async function removeAll(look: (limit: number) => Promise<Swept>): Promise<void> {
  while ((await look(ROWS_PER_LOOK)).isMore);
}

/** The pages that hold rows, of a file that nobody has open. */
async function usedBytes(path: string): Promise<number> {
  const db = open({ path, readOnly: true });
  const stats = db.getStats() as Readonly<Record<string, number>>;
  await db.close();
  const pages = ['treeBranchPageCount', 'treeLeafPageCount', 'overflowPages'];
  return pages.reduce((sum, name) => sum + stats[name]!, 0) * stats.pageSize!;
}
