import { CRASH_POINTS, type CrashPointName } from '#ports/crash-point';
import { canMeet, PAID_OPERATIONS, type PaidOperation } from '../matrix/cells.js';
import { FAULT_COLUMNS, type Fault } from '../matrix/faults.js';

/** What becomes of the first of two processes while it is at work on a payment. */
export type Trouble =
  | { readonly kind: 'none' }
  | { readonly kind: 'killed'; readonly at: CrashPointName }
  /**
   * Stopped for longer than its lease, at a step of its own or while a facilitator is asked, and
   * then continued.
   */
  | { readonly kind: 'stopped'; readonly at: CrashPointName | FacilitatorCall };

/** While one of these runs. */
type FacilitatorCall = 'verify' | 'settle';
export const isFacilitatorCall = (at: CrashPointName | FacilitatorCall): at is FacilitatorCall =>
  at === 'verify' || at === 'settle';

/**
 * When the second process is asked: at once, or only after nobody has asked for as long as a
 * take-over takes.
 */
type Asking = 'at once' | 'later';

/** One payment that two processes on one data directory meet. */
export interface Cell {
  readonly trouble: Trouble;
  readonly operation: PaidOperation;
  readonly payer: 'person' | 'smart wallet';
  readonly fault: Fault;
  readonly version: 1 | 2;
  readonly asking: Asking;
}

const faultOf = (group: Fault['group'], name: string) =>
  FAULT_COLUMNS.find((fault) => fault.group === group && fault.name === name)!;

/** It does as it should, rejects, times out after the money has moved, and says no after it has. */
const FAULTS: readonly Fault[] = [
  faultOf('before', 'ok'),
  faultOf('before', 'reject'),
  faultOf('after', 'hang'),
  faultOf('after', 'lie failed'),
];

const TROUBLES: readonly Trouble[] = [
  { kind: 'none' },
  ...CRASH_POINTS.map((at) => ({ kind: 'killed', at }) as const),
  ...CRASH_POINTS.map((at) => ({ kind: 'stopped', at }) as const),
  { kind: 'stopped', at: 'verify' },
  { kind: 'stopped', at: 'settle' },
];

const PAYERS = ['person', 'smart wallet'] as const;
const VERSIONS = [2, 1] as const;
const ASKINGS = ['at once', 'later'] as const;

const meets = ({ trouble, fault }: Cell) =>
  trouble.kind === 'none' || isFacilitatorCall(trouble.at) || canMeet(trouble.at, fault);

/** A prime, so that the first cells are of all kinds, and all of them come. */
const STRIDE = 7_919;

/** Every trouble with everything else, over and over until there are so many. */
export function processCells(count: number): readonly Cell[] {
  const all = TROUBLES.flatMap((trouble) =>
    PAID_OPERATIONS.flatMap((operation) =>
      PAYERS.flatMap((payer) =>
        FAULTS.flatMap((fault) =>
          VERSIONS.flatMap((version) =>
            ASKINGS.map((asking) => ({ trouble, operation, payer, fault, version, asking })),
          ),
        ),
      ),
    ),
  ).filter(meets);
  return Array.from({ length: count }, (_, at) => all[(at * STRIDE) % all.length]!);
}

/** As few cells as show each kind of trouble, operation, payer and fault. */
export function sampleCells(): readonly Cell[] {
  const [trade, credits] = PAID_OPERATIONS as readonly [PaidOperation, PaidOperation];
  const [ok, reject, hang, lie] = FAULTS as readonly [Fault, Fault, Fault, Fault];
  const cell = (trouble: Trouble, rest: Partial<Cell>): Cell => ({
    trouble,
    operation: trade,
    payer: 'person',
    fault: ok,
    version: 2,
    asking: 'at once',
    ...rest,
  });
  return [
    cell({ kind: 'none' }, { payer: 'smart wallet', operation: credits, fault: lie }),
    cell({ kind: 'killed', at: 'claim.after' }, { payer: 'smart wallet', fault: reject }),
    cell({ kind: 'killed', at: 'settle.after' }, { operation: credits, asking: 'later' }),
    cell({ kind: 'stopped', at: 'verify' }, { fault: hang, version: 1 }),
    cell({ kind: 'stopped', at: 'intent.after' }, { payer: 'smart wallet', asking: 'later' }),
  ];
}

/** How a cell is called in a report. */
export function nameOf({ trouble, operation, payer, fault, version, asking }: Cell): string {
  const what = trouble.kind === 'none' ? 'at both at once' : `${trouble.kind} at ${trouble.at}, asked ${asking}`;
  return `${what} × ${operation.name} v${version} × ${payer} × ${fault.group}: ${fault.name}`;
}
