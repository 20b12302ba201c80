/**
 * Places at which a test may end the process, to see what survives. In production there are none.
 */
export interface CrashPoints {
  hit(name: CrashPointName): void;
  /** Whether this point is armed, for what has to be done in halves to be hit in the middle. */
  armed(name: CrashPointName): boolean;
}

/** The steps of the paid path, in the order in which one payment passes them. */
export const CRASH_POINTS = [
  'claim.before',
  'claim.after',
  'verify.after',
  /**
   * Verified, and the answer is made: the block is asked for from which on the transfer will be
   * looked for.
   */
  'chain.before',
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

/** Everything else that changes what is stored for callers. */
export const UPKEEP_CRASH_POINTS = [
  'debit.before',
  'debit.after',
  'redeem.before',
  'redeem.after',
  'mint.before',
  'mint.after',
  'take-over.before',
  'take-over.after',
  'sweep.before',
  'sweep.after',
  'compact.before',
  'compact.after',
  'publish.before',
  'publish.after',
  /**
   * Around the moment at which a backup, or what is restored of one, gets its name, in the process of
   * the operator's command; around each of its parts in a folder that was there.
   */
  'backup.before',
  'backup.after',
] as const;
export type CrashPointName = (typeof CRASH_POINTS | typeof UPKEEP_CRASH_POINTS)[number];
