import { type Cell, PAID_OPERATIONS } from '#test/payments/matrix/cells';
import { FAULT_COLUMNS, FAULT_GROUPS, type Fault } from '#test/payments/matrix/faults';

/** A cell that any seller can be put through, because nothing of it happens inside the seller. */
export interface ControlCell extends Cell {
  readonly title: string;
}

/**
 * The client does as the protocol says: what is refused it does not send again, and anything else
 * it repeats.
 */
const call = { operation: PAID_OPERATIONS[0]!, version: 2, crashes: [], isCertain: true, obeysRefusal: true } as const;

function faultNamed(group: Fault['group'], name: string): Fault {
  return FAULT_COLUMNS.find((fault) => fault.group === group && fault.name === name)!;
}

/** Deaths from outside; the facilitator is held at that moment, so that it cannot be missed. */
const KILLS: readonly ControlCell[] = [
  { ...call, title: 'killed while it verifies', killWhen: 'verify asked', fault: faultNamed('verify', 'hang') },
  { ...call, title: 'killed before the money moves', killWhen: 'settle asked', fault: faultNamed('before', 'hang') },
  { ...call, title: 'killed when the money has moved', killWhen: 'money moved', fault: faultNamed('after', 'hang') },
];

/** Every fault that one facilitator can have, and the deaths. */
export const CONTROL_CELLS: readonly ControlCell[] = [
  ...FAULT_COLUMNS.filter(({ hasSpare }) => !hasSpare).map((fault) => ({
    ...call,
    title: fault.name === 'ok' ? 'all is well' : `${FAULT_GROUPS[fault.group]}: ${fault.name}`,
    fault,
  })),
  ...KILLS,
];
