import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { fileState } from '#client/node/file-state';
import type { Fault } from '#local/chain/facilitator-faults';
import type { CrashPointName } from '#ports/crash-point';
import { Lives, preflight } from '#test/payments/matrix/seller';
import { openSite } from '#test/payments/matrix/site';
import type { PaymentWorld } from '#test/support/payment-world';
import { tempFolder } from '#test/support/temp-folder';
import { type PurchaseEnd, runPurchase, STEPS, type Step } from './purchase-run.js';

/**
 * What happens to one purchase: where its buyer dies, and what the seller's side does meanwhile.
 */
export interface PurchaseCell {
  readonly dieAt: Step;
  readonly seller: { readonly settle: Fault } | { readonly crashAt: CrashPointName };
  readonly version: 1 | 2;
}

/** What the facilitator does to the first settlement, and where the service dies. */
const SETTLES: readonly Fault[] = ['ok', 'hang-before', 'hang-after', 'drop-before', 'drop-after', 'error-after'];
const CRASHES: readonly CrashPointName[] = [
  'claim.before',
  'claim.after',
  'verify.after',
  'intent.before',
  'intent.after',
  'settle.before',
  'settle.after',
  'confirm.before',
  'confirm.after',
  'reply.before',
  'reply.half',
  'reply.after',
];

/** Every step with everything that may happen, in both versions. */
export const ALL_CELLS: readonly PurchaseCell[] = STEPS.flatMap((dieAt) =>
  ([1, 2] as const).flatMap((version) => [
    ...SETTLES.map((settle): PurchaseCell => ({ dieAt, version, seller: { settle } })),
    ...CRASHES.map((crashAt): PurchaseCell => ({ dieAt, version, seller: { crashAt } })),
  ]),
);

/** Every step once, among them a settlement that is dropped and a service that dies. */
export const SAMPLE_CELLS: readonly PurchaseCell[] = [
  { dieAt: 'begun', version: 1, seller: { settle: 'ok' } },
  { dieAt: 'claimed', version: 2, seller: { settle: 'ok' } },
  { dieAt: 'signed', version: 2, seller: { settle: 'ok' } },
  { dieAt: 'journalled', version: 1, seller: { crashAt: 'settle.after' } },
  { dieAt: 'sent', version: 2, seller: { settle: 'drop-after' } },
  { dieAt: 'answered', version: 2, seller: { settle: 'ok' } },
];

export function nameOfCell({ dieAt, seller, version }: PurchaseCell): string {
  const seen = 'settle' in seller ? `the facilitator: ${seller.settle}` : `the service dies at ${seller.crashAt}`;
  return `buyer dies when ${dieAt}, ${seen}, v${version}`;
}

const PRICE_MICROS = 20_000n;
const RUNS_MAX = 12;
/** The market of the local venue that is asked about. */
const ORDER = { slug: 'will-arcadia-call-a-snap-election-by-december-31', outcome: 'Yes' };

/** Plays a cell and returns what was broken. */
export async function playPurchase(world: PaymentWorld, cell: PurchaseCell): Promise<readonly string[]> {
  const { seller } = cell;
  const settle = 'settle' in seller ? seller.settle : 'ok';
  const plans = settle === 'ok' ? [] : [{ operation: 'settle', fault: settle } as const];
  const location = await openSite(world, { plans, hasSpare: false });
  const lives = new Lives(preflight, location, 'crashAt' in seller ? [seller.crashAt] : []);
  const dir = tempFolder('buyer');
  try {
    return await playIn(world, cell, lives, dir);
  } catch (error) {
    return [`not played: ${(error as Error).stack}`];
  } finally {
    await lives.end();
    await location.close();
  }
}

async function playIn(world: PaymentWorld, cell: PurchaseCell, lives: Lives, dir: string) {
  const privateKey = generatePrivateKey();
  const { address } = privateKeyToAccount(privateKey);
  await world.chain.mint(address, 10n * PRICE_MICROS);
  const [log, home] = [join(dir, 'log'), join(dir, 'home')];
  writeFileSync(log, '');
  const run = { baseUrl: 'https://preflight.example', home, privateKey, order: ORDER, version: cell.version, log };
  const ends: PurchaseEnd[] = [];
  for (let n = 0; n < RUNS_MAX && ends.at(-1)?.kind !== 'answered'; n++) {
    const url = await lives.url();
    const deadlineMs = 'crashAt' in cell.seller ? 2_500 : 25_000;
    ends.push(await runPurchase({ ...run, url, deadlineMs, dieAt: ends.includes(null) ? null : cell.dieAt }));
  }
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return breachesOf(ends, lines, await moneyOf(world, address, home));
}

interface Money {
  readonly sentMicros: readonly bigint[];
  readonly cents: number;
  readonly open: number;
  /** Text of all files that are left. */
  readonly kept: string;
}

async function moneyOf(world: PaymentWorld, payer: `0x${string}`, home: string): Promise<Money> {
  const { ledger, journal } = fileState(home);
  const transfers = await world.transfersFrom(payer);
  const stored = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return {
    sentMicros: transfers.filter(({ to }) => to === world.payee).map(({ micros }) => micros),
    cents: await ledger.spent(payer.toLowerCase(), 'cents'),
    open: (await journal.list(payer.toLowerCase())).length,
    kept: stored.join('\n'),
  };
}

function breachesOf(ends: readonly PurchaseEnd[], lines: readonly string[], money: Money): readonly string[] {
  const noted = (what: string) => lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.split(' ')[1]);
  const nonces = new Set(noted('signed'));
  const answers = new Set(noted('answered'));
  const expected = (holds: boolean, breach: string) => (holds ? [] : [`${breach}; ends: ${JSON.stringify(ends)}`]);
  return [
    ...expected(ends.includes(null), 'the buyer did not die where it was to'),
    ...expected(ends.at(-1)?.kind === 'answered', 'no answer in the end'),
    ...expected(nonces.size === 1, `${nonces.size} nonces were signed`),
    ...expected(answers.size === 1, `${answers.size} different answers`),
    ...expected(money.sentMicros.length === 1, `${money.sentMicros.length} transfers`),
    ...expected(money.sentMicros[0] === PRICE_MICROS, `${money.sentMicros[0]} were paid`),
    ...expected(money.cents === 2, `${money.cents} cents are claimed`),
    ...expected(money.open === 0, `${money.open} purchases are left open`),
    ...expected(!/signature|0x[0-9a-f]{130}/.test(money.kept), 'a signature is kept'),
  ];
}
