/**
 * The SDK for browsers and for every other place without files: what is exported here is stable. Node programs import
 * node/index.ts, which adds the state that outlives a process.
 */
export type {
  Answer,
  CallOptions,
  CopyAnswer,
  CopyOptions,
  Lane,
  Leaderboard,
  NoCoverage,
  OrderInput,
  OrderNumbers,
  OrderVerdict,
  Queued,
  RedList,
  RefreshOptions,
  Verdict,
  WalletProfile,
} from './answers.js';
export type { TypedDataToSign } from './authorization.js';
export type { Demand } from './demand.js';
export { type Eip1193Provider, fromEip1193 } from './eip1193.js';
export { type Charged, GuardrailRefused, NotPaid, OutcomeUnknown, PreflightError, ServiceProblem } from './errors.js';
export type { EvidenceJwk, EvidenceJwks } from './evidence/jws.js';
export type { Check, Verification, VerifyOptions } from './evidence/verify.js';
export { DEFAULT_LIMITS, type Limits, usdText } from './limits.js';
export { memoryState } from './memory.js';
export type {
  Budget,
  Claim,
  ClaimResult,
  ClientState,
  KeptAnswers,
  PayeePins,
  PayerAccount,
  PurchaseJournal,
  PurchaseOutcome,
  SpendLedger,
} from './ports.js';
export { Preflight, type PreflightOptions, type Probe, type WalletClientLike } from './preflight.js';
export { type PublishedTerms, readPublishedTerms } from './published-terms.js';
export type { CreditsPurchase, OutgoingRequest, Purchase, X402Purchase } from './purchase.js';
export { type Fault, GUARDRAIL_RULES, type GuardrailRule } from './rules.js';
export { type Intent, termsFault } from './terms.js';
