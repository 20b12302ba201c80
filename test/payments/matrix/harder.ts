import { CRASH_POINTS, type CrashPointName } from '#ports/crash-point';
import type { Dice } from '#test/support/killed-process';
import { type Cell, VARIANTS } from './cells.js';
import { FAULT_COLUMNS, type Fault, TWO_DROPS } from './faults.js';

/**
 * Where a process dies that is then killed again during its recovery: one point for each state that
 * a crash can leave.
 */
const FIRST_DEATHS: readonly CrashPointName[] = [
  'claim.after',
  'intent.before',
  'intent.after',
  'settle.after',
  'confirm.before',
  'confirm.after',
  'reply.half',
];

/** Points that are passed again where attempts fail, and how often with two failures. */
const LATER_PASSAGES = [
  'settle.before#2',
  'settle.before#3',
  'settle.after#2',
  'settle.after#3',
  'resolve.after#2',
] as const;

const RANDOM_KILL_MS_MAX = 600;

/** Faults that are over in a second or two, and end with an answer. */
const quick = FAULT_COLUMNS.filter(({ end, plans }) => end === 200 && plans.every((plan) => isQuick(plan)));

function isQuick({ fault, delayMs, minedAfterMs }: Fault['plans'][number]): boolean {
  return (
    delayMs === undefined &&
    typeof minedAfterMs !== 'string' &&
    (minedAfterMs ?? 0) < 5_000 &&
    !fault.startsWith('hang')
  );
}

/**
 * A death, and another one in the next life, at every point. Which points the recovery comes to
 * depends on the first death and on whether its client or the reconciler is first, so the second
 * death need not come.
 */
export function doubleCells(): readonly Cell[] {
  return FIRST_DEATHS.flatMap((first, f) =>
    CRASH_POINTS.map((second, s) => {
      const fault = quick[(f * CRASH_POINTS.length + s) % quick.length]!;
      const variant = VARIANTS[(f + s) % VARIANTS.length]!;
      return { ...variant, fault, crashes: [first, second], isCertain: false };
    }),
  );
}

/** A death when a point is passed for the second or third time, because two attempts fail. */
export function laterPassageCells(): readonly Cell[] {
  const fault = TWO_DROPS;
  return LATER_PASSAGES.flatMap((point) =>
    VARIANTS.map((each) => ({ ...each, fault, crashes: [point], isCertain: true })),
  );
}

/** Deaths at no point in particular, from outside: also in the middle of a write. */
export function randomCells(count: number, dice: Dice): readonly Cell[] {
  return Array.from({ length: count }, (_, at) => {
    const fault = quick[Math.floor(dice.next() * quick.length)]!;
    const variant = VARIANTS[at % VARIANTS.length]!;
    return { ...variant, fault, crashes: [], isCertain: true, killWhen: Math.round(dice.next() * RANDOM_KILL_MS_MAX) };
  });
}

/** A death while what an earlier life was at is taken over, by a payment of each kind. */
export function takeOverCells(): readonly Cell[] {
  const [fault] = quick;
  return (['take-over.before', 'take-over.after'] as const).flatMap((second) =>
    VARIANTS.map((each) => ({ ...each, fault: fault!, crashes: ['settle.after', second], isCertain: true })),
  );
}
