import { CRASH_POINTS, type CrashPointName } from '#ports/crash-point';
import { FAULT_COLUMNS, type Fault } from './faults.js';
import type { KillMoment } from './kill.js';
import type { Call } from './payer.js';

/** What is bought in a cell. */
export interface PaidOperation {
  readonly name: 'trade' | 'credits';
  readonly call: Call;
  readonly priceMicros: bigint;
}

/** Everything that is sold for a payment by itself: a new tool is one more entry. */
export const PAID_OPERATIONS: readonly PaidOperation[] = [
  {
    name: 'trade',
    call: { method: 'GET', path: '/api/preflight_trade?slug=will-arcadia-call-a-snap-election-by-december-31&usd=250' },
    priceMicros: 20_000n,
  },
  { name: 'credits', call: { method: 'POST', path: '/api/credits' }, priceMicros: 5_000_000n },
];

/** One operation paid with one version of x402. */
export interface Variant {
  readonly operation: PaidOperation;
  readonly version: 1 | 2;
}

export const VARIANTS: readonly Variant[] = PAID_OPERATIONS.flatMap((operation) =>
  ([2, 1] as const).map((version) => ({ operation, version })),
);

/** One story to play: the deaths and the fault that one payment meets. */
export interface Cell extends Variant {
  /** Where the process dies, life after life (`name` or `name#k`); afterwards it lives. */
  readonly crashes: readonly string[];
  /** Whether each of these deaths must come. */
  readonly isCertain: boolean;
  /**
   * Whether it is killed once more before its answer is asked for again, if that was not yet seen
   * to be durable; unless false.
   */
  readonly isKilledAfterwards?: boolean;
  /** When its first life is ended from outside. */
  readonly killWhen?: KillMoment;
  /**
   * Whether the client never repeats a payment that got a 402, but waits for what becomes of it.
   */
  readonly obeysRefusal?: boolean;
  readonly fault: Fault;
}

/** The rows of the matrix. */
export type Row = CrashPointName | 'no crash';
export const ROWS: readonly Row[] = ['no crash', ...CRASH_POINTS];

/** Whether a payment with this fault comes to the crash point before its client has an answer. */
export function canMeet(row: Row, fault: Fault): boolean {
  return row === 'no crash' || !fault.misses.includes(row);
}

function cellOf(row: Row, fault: Fault, variant: Variant): Cell {
  return { ...variant, fault, crashes: row === 'no crash' ? [] : [row], isCertain: true };
}

/**
 * Every crash point with every fault that it can meet; operations and versions take turns along
 * rows and columns.
 */
export function matrixCells(): readonly Cell[] {
  const variantsOf = (fault: Fault, turn: number) => (fault.isCore ? VARIANTS : [VARIANTS[turn % VARIANTS.length]!]);
  return ROWS.flatMap((row, r) =>
    FAULT_COLUMNS.flatMap((fault, c) =>
      canMeet(row, fault) ? variantsOf(fault, r + c).map((variant) => cellOf(row, fault, variant)) : [],
    ),
  );
}

/**
 * Whether the answer is durable at a crash point: who died there has shown already that a restart
 * keeps it.
 */
export function isDurableAt(point: string): boolean {
  return /^(confirm\.after|reply\.)/.test(point);
}

/** Points before anything is durable. */
const EARLY: readonly CrashPointName[] = CRASH_POINTS.slice(0, CRASH_POINTS.indexOf('intent.after'));

/**
 * As few starts as cover every crash point, every fault and every variant: a fault meets a point
 * that none has used so far, and when all are used nobody dies. What a facilitator does in several
 * attempts meets one and the same life, so there the death is an early one. One payment alone is
 * asked for again after one more kill: those that die when the answer is durable show the same.
 */
export function sampleCells(): readonly Cell[] {
  const unused = new Set<CrashPointName>(CRASH_POINTS);
  return FAULT_COLUMNS.map((fault, at) => {
    const isLong = fault.end === 402 || fault.plans.length > 1;
    const meeting = CRASH_POINTS.filter((point) => unused.has(point) && canMeet(point, fault));
    const point = meeting.filter((each) => !isLong || EARLY.includes(each)).at(-1) ?? 'no crash';
    unused.delete(point as CrashPointName);
    const isKilledAfterwards = point === 'settle.after';
    return { ...cellOf(point, fault, VARIANTS[at % VARIANTS.length]!), isKilledAfterwards };
  });
}
