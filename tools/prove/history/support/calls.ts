/**
 * What a client asked of a wallet, and what it was told; null: it never learned what became of it.
 */
export type Requested =
  | {
      readonly kind: 'charge';
      readonly key: string;
      readonly seen:
        | { readonly kind: 'charged'; readonly left: number; readonly isReplay: boolean }
        | 'too little'
        | null;
    }
  | {
      readonly kind: 'grant';
      readonly credits: number;
      readonly note: string;
      readonly seen: { readonly balance: number } | null;
    }
  | {
      readonly kind: 'redeem';
      readonly code: string;
      readonly credits: number;
      /** `gone`: as many wallets as may have redeemed it. */
      readonly seen: 'redeemed' | 'already' | 'gone' | null;
    }
  | { readonly kind: 'read'; readonly seen: { readonly balance: number } };

/**
 * A wish of one client about one wallet, with all repeats until it was answered. Times are of one
 * monotonic clock; the end of what was never answered is Infinity.
 */
export interface Call {
  readonly requested: Requested;
  readonly beganMs: number;
  readonly endedMs: number;
  /** How often it was sent: what was sent once only cannot have met itself. */
  readonly sent: number;
}

/** Returns a call as people read it. */
export function textOf({ requested, beganMs, endedMs, sent }: Call): string {
  const when = `${beganMs.toFixed(1)}..${endedMs.toFixed(1)}${sent === 1 ? '' : `, sent ${sent} times`}`;
  return `${JSON.stringify(requested)} (${when})`;
}
