import type { FaultPlan } from '#local/chain/facilitator-faults';
import type { CrashPointName } from '#ports/crash-point';

/**
 * One column of the matrix: what the facilitator does to a payment, and how that must end for its
 * payer.
 */
export interface Fault {
  readonly name: string;
  readonly group: FaultGroup;
  /** What is planned for the facilitator, in this order; afterwards it does as it should. */
  readonly plans: readonly FaultPlan[];
  /** Whether there is a second facilitator, without faults. */
  readonly hasSpare: boolean;
  /** Whether an observer submits the authorization once the facilitator was asked to settle it. */
  readonly isPreempted: boolean;
  readonly end: 200 | 402;
  /** Of a 402: what its receipt may say. */
  readonly reasons: readonly string[];
  /**
   * Whether it is played with every operation and version; else these take turns from cell to cell.
   */
  readonly isCore: boolean;
  /**
   * Crash points that a payment with this fault does not come to before its client has an answer.
   */
  readonly misses: readonly CrashPointName[];
}

export const FAULT_GROUPS = {
  before: 'nothing is done',
  after: 'the money moves, and that is not told',
  pending: 'settlement_pending, and the money moves later',
  late: 'too late, or never',
  verify: 'faults of /verify',
} as const;
export type FaultGroup = keyof typeof FAULT_GROUPS;

const PAID_ONLY = ['confirm.before', 'confirm.after', 'reply.before', 'reply.half', 'reply.after'] as const;
const VERIFIED_ONLY = ['chain.before', 'intent.before', 'intent.after', 'settle.before', 'settle.after'] as const;
/** More than the service waits for /settle. */
const TOO_LATE_MS = 13_000;
const MINED_AFTER_MS = 1_500;

type Plan = Omit<FaultPlan, 'operation'>;
type Facts = Pick<Fault, 'group'> &
  Partial<Pick<Fault, 'end' | 'reasons' | 'misses' | 'hasSpare' | 'isPreempted' | 'isCore'>>;

function fault(name: string, plans: readonly FaultPlan[], facts: Facts): Fault {
  return {
    name,
    plans,
    end: 200,
    reasons: [],
    misses: [],
    hasSpare: false,
    isPreempted: false,
    isCore: false,
    ...facts,
  };
}

const atSettle = (name: string, plans: readonly Plan[], facts: Facts) =>
  fault(
    name,
    plans.map((plan) => ({ ...plan, operation: 'settle' })),
    facts,
  );

/** A facilitator is asked twice to verify, so a fault that is to be noticed comes twice. */
const atVerify = (name: string, plan: Plan, facts: Partial<Facts> = {}) =>
  fault(name, [{ times: 2, ...plan, operation: 'verify' }], { group: 'verify', misses: ['resolve.after'], ...facts });

/**
 * The forms in which facilitators say that they are at it: CDP's is 500 with a hash, Circle's 200
 * without.
 */
const PENDING = ([200, 202, 500] as const).flatMap((status) =>
  [true, false].map((withHash) =>
    atSettle(
      `${status} ${withHash ? 'hash' : 'no hash'}`,
      [{ fault: 'pending', status, withHash, minedAfterMs: MINED_AFTER_MS }],
      { group: 'pending', isCore: status === 500 && withHash },
    ),
  ),
);

const late: Plan = { fault: 'ok', delayMs: TOO_LATE_MS };
const REJECTED = 'insufficient_funds';
/** The refusal of what the chain's clock has ended. */
export const EXPIRED = 'authorization_expired';
const never = { group: 'late', end: 402, reasons: [EXPIRED], misses: PAID_ONLY } as const;

/**
 * The columns. What never moves money ends when the authorization has expired by the chain's time.
 */
export const FAULT_COLUMNS: readonly Fault[] = [
  fault('ok', [], { group: 'before', misses: ['resolve.after'], isCore: true }),
  atSettle('drop', [{ fault: 'drop-before' }], { group: 'before' }),
  atSettle('hang', [{ fault: 'hang-before' }], { group: 'before' }),
  atSettle('500', [{ fault: 'error-before' }], { group: 'before' }),
  // After a crash an earlier attempt may still land: then only the chain's clock ends the doubt.
  atSettle('reject', [{ fault: 'reject', times: 'always', reason: REJECTED }], {
    group: 'before',
    isCore: true,
    end: 402,
    reasons: [REJECTED, EXPIRED],
    misses: PAID_ONLY,
  }),
  atSettle('down, spare', [{ fault: 'error-before', times: 'always' }], { group: 'before', hasSpare: true }),
  atSettle('drop', [{ fault: 'drop-after' }], { group: 'after', isCore: true }),
  atSettle('hang', [{ fault: 'hang-after' }], { group: 'after' }),
  atSettle('502', [{ fault: 'error-after' }], { group: 'after' }),
  atSettle('garbage', [{ fault: 'garbage-after' }], { group: 'after' }),
  atSettle('lie failed', [{ fault: 'lie-failed' }], { group: 'after', isCore: true }),
  atSettle('by another', [{ fault: 'error-before' }], { group: 'after', isPreempted: true }),
  ...PENDING,
  atSettle('mined late', [{ fault: 'pending', minedAfterMs: 6_000 }], { group: 'late' }),
  atSettle('done late', [late], { group: 'late' }),
  atSettle('late, reject', [late, { fault: 'reject' }], { group: 'late' }),
  atSettle('never mined', [{ fault: 'pending', minedAfterMs: 'never', times: 'always' }], never),
  atSettle('down', [{ fault: 'error-before', times: 'always' }], never),
  atVerify('drop', { fault: 'drop-before' }),
  atVerify('hang', { fault: 'hang-before' }),
  atVerify('500', { fault: 'error-before' }),
  atVerify(
    'reject',
    { fault: 'reject', times: 'always', reason: REJECTED },
    {
      end: 402,
      reasons: [REJECTED],
      misses: [...VERIFIED_ONLY, 'resolve.after', ...PAID_ONLY],
    },
  ),
];

/** No column of its own: it makes a payment pass some points more than once. */
export const TWO_DROPS = atSettle('drop twice', [{ fault: 'drop-before', times: 2 }], { group: 'before' });
