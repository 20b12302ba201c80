import { IDEMPOTENCY_META, MCP_PATH } from '#api/mcp-facts';
import { CHARGED_ANEW, CREDIT_PACK, GUARDRAILS } from '#api/prices';
import { TOKEN_REQUEST_AGE_MAX_MS, tokenRequestText } from '#domain/credits/token-request';
import type { WalletAddress } from '#domain/ids';
import { BASE_NETWORK, PAYMENT_WINDOW_S } from '#domain/payment/payment';
import type { DiscoveryConfig } from './discovery-file.js';

/** Lists about payment that several documents show, in Markdown. */

/**
 * The errors after which a payment or a debit may have been made. Wherever errors are said to be
 * free, this follows: who does not know of it signs anew, or takes a new key, and pays twice.
 */
export const BUT_WHILE_UNCLEAR =
  'except perhaps `settlement_pending` and `store_unavailable`: repeat these with the same payment or key';

/** Returns who is paid, in what: the reference for checking payment terms. */
export function payeeList({ payeeAddress, usdcAddress }: DiscoveryConfig): string {
  return [
    `- Network: Base, \`${BASE_NETWORK}\` (\`base\` in x402 v1)`,
    `- Asset: USDC, \`${usdcAddress}\``,
    `- Payee (payTo): \`${payeeAddress}\``,
    `- Scheme: \`exact\` (EIP-3009 transferWithAuthorization); validAfter 0, validBefore ${PAYMENT_WINDOW_S} s from now`,
  ].join('\n');
}

/** Returns how one call is paid with x402. */
export function perCallSteps(): string {
  return [
    '1. Send the request without credentials. The answer is 402: terms of x402 v2 in the header PAYMENT-REQUIRED (base64), of v1 in the body.',
    '2. Check the terms (rules below) and sign an authorization for exactly that amount.',
    '3. Repeat the identical request with PAYMENT-SIGNATURE (v2) or X-PAYMENT (v1). The answer is 200 with `paid`, and PAYMENT-RESPONSE ' +
      '(v2) or X-PAYMENT-RESPONSE (v1).',
    '4. After a timeout or a 500, repeat with the same authorization: the same answer, charged at most once. Clients that sign again ' +
      `send an Idempotency-Key: a second one under it is not charged, except of ${CHARGED_ANEW}. ` +
      'A 402 after a payment: it gets no answer, see `error`. Reason `repeat_window_over`: it paid, too long ago for a repeat; `not_the_buyer`: a repeat needs its secret.',
  ].join('\n');
}

/** Returns what a repeat is, and what it is not good for. */
export function repeatText(): string {
  return (
    'A repeat with the same payment (7 days with its `purchase-secret`, `payment-identifier` or Idempotency-Key; without one: verdicts and ' +
    'profiles 24 hours, lists until 10 minutes after `validBefore`), with a new payment of the same wallet (no smart contract) under the same ' +
    'Idempotency-Key or `payment-identifier` (7 days, not charged), or from credits with the same Idempotency-Key (24 hours) gets the *old* answer: the same bytes, with ' +
    '`Idempotent-Replayed: true` and `Age` (by MCP `idempotent_replayed` and `age_seconds` in `_meta`). Send no order on an old verdict, ' +
    'nor after `meta.valid_until`: ask again with a new payment or a new key.'
  );
}

/** Returns how the credits lane is used. */
export function creditSteps(): string {
  return [
    `1. \`POST /api/credits\`, paid with x402: ${CREDIT_PACK.usd} USDC for ${CREDIT_PACK.credits} credits, valid ${CREDIT_PACK.valid_days} days. ` +
      'Send an Idempotency-Key of at least 16 characters that cannot be guessed: a repeat with it shows the token again (x402 v2 clients ' +
      'send the `purchase-secret` of the terms). Raise your limit per payment for this one.',
    '2. Keep the token of the answer: it is a secret and shown once. The last 5 tokens of a wallet stay valid. If it is lost, ' +
      '`POST /api/credits/token` gives a new one to the wallet that signs for it (/auth.md).',
    '3. Send `Authorization: Bearer <token>` with each call. `GET /api/credits` returns balance and expiry.',
  ].join('\n');
}

/** Returns how a wallet gets a new token for its credits. */
export function lostTokenText({ baseUrl }: DiscoveryConfig): string {
  const request = { domain: new URL(baseUrl).host, wallet: '<wallet, lower case>' as WalletAddress };
  const text = tokenRequestText({ ...request, nonce: '<nonce>', issuedAt: '<issued_at>' });
  return [
    '`POST /api/credits/token` with the JSON body `{"wallet", "nonce", "issued_at", "signature"}` returns a new token for the credits of ' +
      'the wallet; free. `signature` is over this text (EIP-191, `personal_sign`), lines ended by a line feed and the last by nothing:',
    '',
    '```',
    text,
    '```',
    '',
    '`nonce`: 16 to 128 characters of A-Z, a-z, 0-9, `_` and `-`, good once. `issued_at`: RFC 3339 in UTC, at most ' +
      `${TOKEN_REQUEST_AGE_MAX_MS / 60_000} minutes ago. Wallets that are contracts (EIP-1271) are not supported: buy with an Idempotency-Key ` +
      'and keep it, or write to support.',
  ].join('\n');
}

/** Returns how a promotional code is used. */
export function promoText(): string {
  return (
    '`POST /api/redeem` with the JSON body `{"code", "wallet"}` returns a token with free credits. No signature, no funds move. ' +
    'They have no cash value and may be revoked. A wallet can redeem a code once.'
  );
}

/** Returns how the tools are called and paid by MCP. */
export function mcpList({ baseUrl }: DiscoveryConfig): string {
  return [
    `- Server: \`${baseUrl}${MCP_PATH}\` (streamable HTTP, no session); \`evaluate\` and \`credits\` free.`,
    '- Free example of any tool: the argument `sandbox: true`.',
    '- Credits: `Authorization: Bearer <token>` on the HTTP request.',
    `- Key of one call: \`_meta["${IDEMPOTENCY_META}"]\`.`,
    '- x402: a live call without a token returns the terms (`isError`, `structuredContent`). Check them, sign, and repeat ' +
      'the call with the payment in `_meta["x402/payment"]`; the receipt is in `_meta["x402/payment-response"]`.',
  ].join('\n');
}

/**
 * Returns the rules that a client should enforce in its own code (docs/interface-paying.md,
 * "Operator safety rules").
 */
export function guardrailList({ baseUrl }: DiscoveryConfig): string {
  return [
    `- Never pay more than ${GUARDRAILS.usd_per_call_max.toFixed(2)} USD per call, and set a daily cap (${GUARDRAILS.usd_per_day_max} USD).`,
    `- The one exception is the credit pack: \`POST /api/credits\` costs ${CREDIT_PACK.usd.toFixed(2)} USD, above both limits. Buy it only if ` +
      'instructed to, never as the payment of a call.',
    `- Pay only endpoints under \`${baseUrl}\`, and only the payTo published in its \`/llms.txt\`.`,
    `- Accept only USDC on Base (\`${BASE_NETWORK}\`).`,
    '- On a timeout or a 5xx after a payment, repeat with the same authorization.',
  ].join('\n');
}
