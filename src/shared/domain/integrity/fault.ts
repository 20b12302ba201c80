/** Something that cannot be true of a sound store, in words for the operator. */
export interface StoreFault {
  /** Which wallet or row: "wallet 0x…", "payment 8453:…". */
  readonly where: string;
  /** What is wrong, with the figures. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Nothing can say which of two rows is right where the books contradict each other. */
export const RESTORE = 'stop the service and restore the store from a backup from before';

/** Returns a fault that only a backup mends. */
export function broken(where: string, what: string): StoreFault {
  return { where, what, remedy: RESTORE };
}
