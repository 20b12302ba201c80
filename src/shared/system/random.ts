/** Chance. Jitter and secrets come from here, so that tests can repeat a run from its seed. */
export interface Random {
  /** A number in [0, 1). For jitter, never for secrets. */
  next(): number;
  /** Cryptographically strong bytes (in production). */
  bytes(count: number): Uint8Array;
}
