import type { Answer } from '#client/answers';
import type { Failure } from './failure.js';
import type { ShownTerms } from './shown-terms.js';

/** How far a purchase is. */
export type CheckoutStep =
  | { readonly kind: 'idle' | 'asking' }
  /** The person looks at the terms and chooses a wallet. */
  | { readonly kind: 'terms'; readonly terms: ShownTerms }
  /** The wallet has been opened. */
  | { readonly kind: 'signing'; readonly terms: ShownTerms; readonly wallet: string }
  /** Signed, or with credits: the answer is awaited. What pays it is kept. */
  | { readonly kind: 'sending'; readonly resumed: boolean }
  /** It may be charged, once. The same payment is sent again by itself. */
  | { readonly kind: 'unknown'; readonly why: string; readonly nonce: string | null }
  /**
   * The service is still at work, and nothing was charged. It is asked again by itself at
   * `askAtMs`.
   */
  | { readonly kind: 'queued'; readonly askAtMs: number; readonly withSame: boolean }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'answered'; readonly answer: Answer<unknown> };

const BUSY: readonly CheckoutStep['kind'][] = ['asking', 'signing', 'sending', 'unknown', 'queued'];

/** Whether the terms are under way: something else may be begun all the same. */
export function isAsking({ kind }: CheckoutStep): boolean {
  return kind === 'asking';
}

/** Whether nothing may be begun now: something is under way. */
export function isBusy({ kind }: CheckoutStep): boolean {
  return BUSY.includes(kind);
}

/** Whether a wallet was opened or credits were sent: what comes of it must not go out of sight. */
export function isBegun(step: CheckoutStep): boolean {
  return step.kind === 'answered' || (isBusy(step) && !isAsking(step));
}
