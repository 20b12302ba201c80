import type { Verification } from '#client/evidence/verify';
import type { Judgement } from './judge.js';
import type { ToldOrder } from './told-order.js';

/** How far the check of what was given is. */
export type VerifierState =
  | { readonly kind: 'waiting' | 'checking' }
  | { readonly kind: 'unusable'; readonly problem: string; readonly next: string }
  | {
      readonly kind: 'checked';
      readonly told: ToldOrder;
      readonly verification: Verification;
      readonly judgement: Judgement;
    };
