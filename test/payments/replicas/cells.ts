import { CRASH_POINTS, type CrashPointName } from '#ports/crash-point';
import { canMeet, PAID_OPERATIONS, type PaidOperation } from '../matrix/cells.js';
import { FAULT_COLUMNS, type Fault } from '../matrix/faults.js';

/** What becomes of one of two replicas. All but `killed` end after longer than its lease. */
const TROUBLES = ['killed', 'stopped', 'cut off', 'unanswered'] as const;
type Trouble = (typeof TROUBLES)[number];

/**
 * Whom the trouble meets: the replica that is at work on the payment, or the one that may wait for
 * it.
 */
const MEETS = ['owner', 'other'] as const;

/** Where the client repeats its request when there is trouble. */
const ASKINGS = ['same', 'other', 'both', 'nobody'] as const;

/** One payment that two replicas on one database meet. */
export interface Cell {
  readonly trouble: Trouble;
  readonly meets: (typeof MEETS)[number];
  /** Where the owner is when the trouble begins. */
  readonly at: CrashPointName;
  readonly asking: (typeof ASKINGS)[number];
  readonly payer: 'person' | 'smart wallet';
  readonly operation: PaidOperation;
  readonly fault: Fault;
  readonly version: 1 | 2;
  /** Whether the trouble lasts for longer than a lease; else for a moment. */
  readonly isLong: boolean;
}

const faultOf = (group: Fault['group'], name: string) =>
  FAULT_COLUMNS.find((fault) => fault.group === group && fault.name === name)!;

/** It does as it should, rejects, and times out after the money has moved. */
const FAULTS = [faultOf('before', 'ok'), faultOf('before', 'reject'), faultOf('after', 'hang')] as const;
const PAYERS = ['person', 'smart wallet'] as const;

/** A prime, so that the first cells are of all kinds. */
const STRIDE = 3_571;

/**
 * Every crash point with every trouble, asking, payer, operation and fault, in an order that is
 * well mixed.
 */
export function replicaCells(): readonly Cell[] {
  const all = product(MEETS, CRASH_POINTS, TROUBLES, ASKINGS)
    .flatMap(([meets, at, trouble, asking]) =>
      product(PAYERS, PAID_OPERATIONS, FAULTS).map(([payer, operation, fault]) => {
        return { meets, at, trouble, asking, payer, operation, fault };
      }),
    )
    .filter(({ at, fault }) => canMeet(at, fault))
    .map((cell, n): Cell => ({ ...cell, version: n % 2 === 0 ? 2 : 1, isLong: true }));
  return all.map((_, n) => all[(n * STRIDE) % all.length]!);
}

/**
 * Every crash point, trouble and fault, for two pairs of replicas to play one after the other. A
 * kill is the last that a pair sees, since a start is what costs most, and one trouble outlasts a
 * lease.
 */
export function sampleCells(): readonly (readonly Cell[])[] {
  const [trade, credits] = PAID_OPERATIONS as readonly [PaidOperation, PaidOperation];
  const [ok, reject, hang] = FAULTS;
  const cell = (at: CrashPointName, trouble: Trouble, rest: Partial<Cell>): Cell => ({
    ...{ at, trouble, meets: 'owner', asking: 'both', payer: 'person', operation: trade },
    ...{ fault: ok, version: 2, isLong: false, ...rest },
  });
  return [
    [
      cell('claim.before', 'stopped', { meets: 'other' }),
      cell('resolve.after', 'stopped', { fault: reject, asking: 'same' }),
      cell('verify.after', 'cut off', { operation: credits, version: 1 }),
      cell('confirm.before', 'unanswered', { asking: 'other' }),
      cell('reply.half', 'stopped', { payer: 'smart wallet' }),
      cell('intent.after', 'stopped', { isLong: true, asking: 'other', operation: credits }),
      cell('claim.after', 'killed', { asking: 'other' }),
    ],
    [
      cell('chain.before', 'unanswered', { asking: 'both', version: 1 }),
      cell('intent.before', 'cut off', { meets: 'other', asking: 'other' }),
      cell('settle.before', 'stopped', { fault: hang, payer: 'smart wallet' }),
      cell('reply.before', 'unanswered', { asking: 'same', version: 1 }),
      cell('reply.after', 'cut off', { asking: 'nobody', operation: credits }),
      cell('confirm.after', 'cut off', { asking: 'same', payer: 'smart wallet' }),
      cell('settle.after', 'killed', { asking: 'nobody', operation: credits }),
    ],
  ];
}

/** How a cell is called in a report. */
export function nameOf({ meets, at, trouble, asking, payer, operation, fault, version, isLong }: Cell): string {
  const what = `${meets} ${trouble}${isLong ? '' : ' for a moment'} at ${at}, asked again at ${asking}`;
  return `${what} × ${operation.name} v${version} × ${payer} × ${fault.group}: ${fault.name}`;
}

function product<A, B, C, D = null>(
  a: readonly A[],
  b: readonly B[],
  c: readonly C[],
  d: readonly D[] = [null as D],
): readonly (readonly [A, B, C, D])[] {
  return a.flatMap((one) =>
    b.flatMap((two) => c.flatMap((three) => d.map((four) => [one, two, three, four] as const))),
  );
}
