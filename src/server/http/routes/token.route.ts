import { parseArguments } from '#api/arguments';
import { type TokenRequestBody, TokenRequestSchema, type TokenResponse } from '#api/credits';
import { Problem } from '#domain/errors';
import type { Route } from '#doors/route';
import type { Credits } from '#services/credits/credits';
import type { WalletTokenResult } from '#services/credits/wallet-token';
import type { Stopwatch } from '#system/stopwatch';
import { ok } from '../answers/answer.js';
import { LIMITED_ADDRESSES_MAX, TOKEN_REQUEST_LIMIT } from '../limits/limits.js';
import { createRateLimiter, takePoint } from '../limits/rate-limit.js';
import { readJsonBody } from '../requests/body.js';
import { type PostedForm, readPosted } from '../requests/posted.js';

export interface TokenRouteDeps {
  readonly credits: Pick<Credits, 'issueToWallet'>;
  readonly terms: { readonly baseUrl: string };
  readonly clock: Stopwatch;
}

const NOTE =
  'Keep the token: it is shown only here. Send it as Authorization: Bearer <token>. ' +
  'The last 5 tokens of a wallet are valid: five new ones end all older ones.';

const FORM: PostedForm<TokenRequestBody> = {
  readBody: readJsonBody,
  parse: (raw) => parseArguments(TokenRequestSchema, raw),
  ifInQuery: 'wallet, nonce, issued_at and signature go into the JSON body',
  ifAbsent: 'send a JSON body with wallet, nonce, issued_at and signature',
};

/**
 * POST /api/credits/token: a fresh token for a wallet that signs for it; free, and limited by
 * address.
 */
export function tokenRoute({ credits, terms, clock }: TokenRouteDeps): Route {
  const limiter = createRateLimiter(TOKEN_REQUEST_LIMIT, LIMITED_ADDRESSES_MAX, clock);
  const domain = new URL(terms.baseUrl).host;
  return {
    path: '/api/credits/token',
    methods: {
      POST: async (req, res) => {
        await takePoint(limiter, req, 'attempts');
        const { issued_at: issuedAt, ...request } = await readPosted(req, res, FORM);
        return ok(toResponse(await credits.issueToWallet({ ...request, issuedAt, domain }), domain));
      },
    },
  };
}

function toResponse(result: WalletTokenResult, domain: string): TokenResponse {
  switch (result.kind) {
    case 'issued': {
      const { token, wallet, balance, expiresAtMs } = result;
      return { ok: true, token, wallet, balance, expires: new Date(expiresAtMs).toISOString(), note: NOTE };
    }
    case 'not_now':
      throw refuse(
        'issued_at is more than 10 minutes old or ahead of our clock: sign a new message with the time of now',
      );
    case 'used':
      throw refuse('this nonce was used before: sign a new message with another one');
    case 'not_signed':
      throw refuse(
        `the signature is not by the key of this wallet over the message of /auth.md, "A lost token", for ${domain}: ` +
          'sign exactly that text (EIP-191, wallet in lower case); wallets that are contracts are not supported here',
      );
    case 'no_credits':
      throw refuse('this wallet has no credits left that a token could spend: buy a pack at POST /api/credits');
  }
}

function refuse(text: string): Problem {
  return new Problem('invalid_parameter', text);
}
