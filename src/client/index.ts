/**
 * The SDK for browsers and for every other place without files: what is exported here is stable.
 * Node programs import node/index.ts, which adds the state that outlives a process.
 */

export { type Eip1193Provider, fromEip1193 } from './account/eip1193.js';
export type { WalletClientLike } from './account/paying-account.js';
export type {
  Answer,
  CallOptions,
  CopyAnswer,
  CopyOptions,
  Lane,
  Leaderboard,
  NoCoverage,
  OrderExit,
  OrderInput,
  OrderLimit,
  OrderNumbers,
  OrderPlan,
  OrderVerdict,
  Probe,
  Queued,
  RedList,
  RefreshOptions,
  Remedy,
  Verdict,
  WalletProfile,
} from './answers.js';
export type { Check } from './evidence/check.js';
export type { EvidenceJwk, EvidenceJwks } from './evidence/jws.js';
export type { VerifyOptions } from './evidence/signed.js';
export type { Verification } from './evidence/verify.js';
export type { PreflightOptions } from './options.js';
export { Preflight } from './preflight.js';
export type { DamagedPurchase } from './state/damaged-purchase.js';
export { memoryState } from './state/memory.js';
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
} from './state/ports.js';
export type { CreditsPurchase, OutgoingRequest, Purchase, X402Purchase } from './state/purchase.js';
export type { TypedDataToSign } from './terms/authorization.js';
export type { Demand } from './terms/demand.js';
export {
  type Charged,
  GuardrailRefused,
  NotPaid,
  OutcomeUnknown,
  PreflightError,
  ServiceProblem,
} from './terms/errors.js';
export { DEFAULT_LIMITS, type Limits, usdText } from './terms/limits.js';
export { type PublishedTerms, readPublishedTerms } from './terms/published-terms.js';
export { type Fault, GUARDRAIL_RULES, type GuardrailRule } from './terms/rules.js';
export { type Intent, termsFault } from './terms/terms.js';
