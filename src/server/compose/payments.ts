import { createSignatureCheck } from '#adapters/chain/signature-check';
import type { Config } from '#config/config';
import { type EndBody, endWhole } from '#http/answers/answer';
import type { CrashPoints } from '#ports/crash-point';
import type { Meter } from '#ports/meter';
import type { ChainReader, Facilitator } from '#ports/settlement';
import type { Store } from '#ports/store';
import type { Credits } from '#services/credits/credits';
import { startRefunds } from '#services/credits/refunds';
import { describeForeignTransfers } from '#services/payments/foreign-transfers';
import { Lease } from '#services/payments/lease';
import { measuredFacilitator } from '#services/payments/measured-facilitator';
import { createPackTokens, type PackTokens } from '#services/payments/pack-token';
import { Payments } from '#services/payments/payments';
import { createPurchaseSecrets, type PurchaseSecrets } from '#services/payments/purchase-secret';
import { RefusedPayments } from '#services/payments/refused-payments';
import { ChangeOutcomes } from '#services/status/change-outcomes';
import type { BelievedTime } from '#services/time/believed-clock';
import { expiredAnswers, type OldRows, oldRepeats, startTrimmer } from '#services/trimmer';
import type { Clock } from '#system/clock';
import { crashing, crashingStore, type PaidPath } from './crashing.js';
import { type CreditsModule, withinTime } from './credits.js';
import { inOrder, type Running } from './parts.js';
import type { System } from './system.js';

/** Credits and payments, on one store. */
export interface Money extends Running {
  readonly store: Store;
  readonly credits: Credits;
  /** What becomes of the changes that callers want of the store. */
  readonly changes: ChangeOutcomes;
  readonly payments: Payments;
  readonly lease: Lease;
  readonly packTokens: PackTokens;
  readonly purchaseSecrets: PurchaseSecrets;
  readonly endPaid: EndBody;
  /** What is in the store is dated by it, and lapses by it. */
  readonly clock: BelievedTime;
  /** Answers of payments that were too old to keep, since the start. */
  readonly answersTrimmed: () => number;
}

interface MoneyDeps {
  readonly outside: { readonly facilitators: readonly Facilitator[]; readonly chain: ChainReader };
  readonly operators: CreditsModule;
  /** null: nobody counts. */
  readonly meter: Meter | null;
  /** null: nothing is armed. */
  readonly crash: CrashPoints | null;
  readonly isLeader: () => Promise<boolean>;
}

/** Wires credits and payments. The store is open; it is closed with the rest. */
export function composePayments(config: Config, deps: MoneyDeps, system: System): Money {
  const { random } = system;
  const changes = new ChangeOutcomes(system.clock);
  const { operators, crash } = deps;
  const stored = crash === null ? operators : { ...operators, store: crashingStore(operators.store, crash) };
  const { store, key, credits, clock, othersMax } = withinTime(stored, changes, system);
  const { endPaid, ...paidPath } = paidPathOf(deps, clock);
  const lease = new Lease({ ...system, leases: store.leases, othersMax, stopwatch: clock });
  const packTokens = createPackTokens(key);
  const purchaseSecrets = createPurchaseSecrets(key, { clock, random });
  const payments = new Payments({
    ...paidPath,
    ...system,
    store,
    clock,
    lapses: clock.lapses,
    lease,
    signatures: createSignatureCheck(config.usdc),
    refused: new RefusedPayments(clock),
    packTokens,
    explorerUrl: config.explorerUrl,
    meter: deps.meter,
  });
  const { answersTrimmed, ...upkeep } = startUpkeep({ ...deps, store, credits, clock }, system);
  const closing = { stop: () => store.close() };
  const warning = { start: () => void warnOfForeignTransfers(config, { store, chain: deps.outside.chain }, system) };
  const leasing = { start: () => lease.start(), stop: () => lease.end() };
  return {
    ...{ store, credits, changes, payments, lease, packTokens, purchaseSecrets, endPaid, clock, answersTrimmed },
    ...inOrder([closing, leasing, upkeep, payments, warning]),
  };
}

/** Says in the log, once after a start, if another store seems to sell for the same payee. */
async function warnOfForeignTransfers(
  { payee, usdc }: Config,
  deps: Parameters<typeof describeForeignTransfers>[1],
  { log }: System,
): Promise<void> {
  try {
    const warning = await describeForeignTransfers({ payTo: payee, asset: usdc }, deps);
    if (warning !== null) log.warn({ payee }, warning);
  } catch (err) {
    log.debug({ err }, 'transfers to the payee cannot be looked at');
  }
}

function paidPathOf({ outside, meter, crash }: MoneyDeps, clock: Clock): PaidPath {
  const { facilitators, chain } = outside;
  const measured = meter === null ? facilitators : facilitators.map((one) => measuredFacilitator(one, meter, clock));
  const path: PaidPath = { facilitators: measured, chain, endPaid: endWhole };
  return crash === null ? path : crashing(path, crash);
}

interface UpkeepDeps extends Pick<MoneyDeps, 'isLeader'>, Pick<Money, 'store' | 'credits' | 'clock'> {}

/** Starts what removes old rows, and gives back what was debited without an answer. */
function startUpkeep({ store, credits, clock: { lapses: clock }, isLeader }: UpkeepDeps, { timers, log }: System) {
  const onError = (text: string) => (err: unknown) => log.error({ err }, text);
  const trim = (rows: OldRows, text: string) => startTrimmer(rows, { clock, timers, isLeader, onError: onError(text) });
  const answers = trim(expiredAnswers(store), 'expired answers not removed');
  const repeats = trim(oldRepeats(store), 'old answers of payments not removed');
  const stop = startRefunds({ credits, timers }, onError('debits without an answer not given back; tried again'));
  return { answersTrimmed: repeats.removed, ...inOrder([{ stop }, repeats, answers]) };
}
