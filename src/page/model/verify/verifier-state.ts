import type { Verification } from '#client/evidence/verify';
import type { Judgement } from './judge.js';
import type { Received } from './received.js';

/** How far the check of what was given is. */
export type VerifierState =
  | { readonly kind: 'waiting' | 'checking' }
  | { readonly kind: 'unusable'; readonly problem: string; readonly next: string }
  | {
      readonly kind: 'checked';
      readonly received: Received;
      readonly verification: Verification;
      readonly judgement: Judgement;
    };
