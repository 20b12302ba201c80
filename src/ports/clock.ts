/** Wall time. Everything that asks what time it is asks this, so that tests own the clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}
