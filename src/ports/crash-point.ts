/**
 * Places at which a test may end the process, to see what survives. In production nothing is armed and `hit` does nothing.
 */
export interface CrashPoints {
  hit(name: CrashPointName): void;
  /** Whether this point is armed, for the few places that must do something in halves to be hit in the middle. */
  armed(name: CrashPointName): boolean;
}

/** The steps of the paid path, in the order in which one payment passes them. */
export const CRASH_POINTS = [
  'claim.before',
  'claim.after',
  'verify.after',
  'compute.after',
  'intent.before',
  'intent.after',
  'settle.before',
  'settle.after',
  'resolve.after',
  'confirm.before',
  'confirm.after',
  'reply.before',
  'reply.half',
  'reply.after',
] as const;
export type CrashPointName = (typeof CRASH_POINTS)[number];
