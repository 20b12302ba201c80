import { CRASH_POINTS, type CrashPointName } from '#ports/crash-point';
import { FAULT_COLUMNS, type Fault } from './matrix-faults.js';
import type { Call } from './matrix-payer.js';

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

/** From outside a process is killed when this has happened; where there are no crash points. */
export type KillMoment = 'verify asked' | 'settle asked' | 'money moved';

/** One story to play: the deaths and the fault that one payment meets. */
export interface Cell extends Variant {
  /** Where the process dies, life after life (`name` or `name#k`); afterwards it lives. */
  readonly crashes: readonly string[];
  /** Whether each of these deaths must come. */
  readonly isCertain: boolean;
  readonly killWhen?: KillMoment;
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

/** Every crash point with every fault that it can meet, in each of the variants that `variantsOf` picks. */
export function matrixCells(variantsOf: (row: number, column: number) => readonly Variant[]): readonly Cell[] {
  return ROWS.flatMap((row, r) =>
    FAULT_COLUMNS.flatMap((fault, c) =>
      canMeet(row, fault) ? variantsOf(r, c).map((variant) => cellOf(row, fault, variant)) : [],
    ),
  );
}

/** Each cell in one variant: along a row and along a column they take turns. */
export const oneVariantEach = (row: number, column: number): readonly Variant[] => [
  VARIANTS[(row + column) % VARIANTS.length]!,
];

/** As few cells as cover every crash point, every fault and every variant. */
export function sampleCells(): readonly Cell[] {
  const rows: Row[] = CRASH_POINTS.toReversed();
  return FAULT_COLUMNS.map((fault, at) => {
    const row = rows.find((each) => canMeet(each, fault)) ?? CRASH_POINTS.find((each) => canMeet(each, fault))!;
    if (rows.includes(row)) rows.splice(rows.indexOf(row), 1);
    return cellOf(row, fault, VARIANTS[at % VARIANTS.length]!);
  });
}
