import { parseArguments } from '#api/arguments';
import { type RedeemRequest, RedeemRequestSchema, type RedeemResponse } from '#api/credits';
import { Problem } from '#domain/errors';
import { rateKey } from '#domain/rate-key';
import { tooMany } from '#domain/too-many';
import { callerOf } from '#doors/request';
import type { Route } from '#doors/route';
import type { SharedLimits } from '#ports/shared-limits';
import type { Credits } from '#services/credits/credits';
import type { RedeemResult } from '#services/credits/promos';
import type { Stopwatch } from '#system/stopwatch';
import { ok } from '../answers/answer.js';
import { createGuessLimiter } from '../limits/guess-limit.js';
import { LIMITED_ADDRESSES_MAX, REDEEM_LIMIT } from '../limits/limits.js';
import { createRateLimiter, type RateLimit, takePoint } from '../limits/rate-limit.js';
import { withShared } from '../limits/shared-limiter.js';
import { readJsonBody } from '../requests/body.js';
import { type PostedForm, readPosted } from '../requests/posted.js';

const NOTE =
  'Keep the token: it is shown only here. Send it as Authorization: Bearer <token>. ' +
  'Promotional credits have no cash value and may be revoked.';

const ATTEMPTS = 'attempts';
const FORM: PostedForm<RedeemRequest> = {
  readBody: readJsonBody,
  parse: (raw) => parseArguments(RedeemRequestSchema, raw),
  ifInQuery: 'code and wallet go into the JSON body, not into the query',
  ifAbsent: 'send a JSON body with code and wallet',
};

/** POST /api/redeem: a promotional code for a token with free credits. */
export function redeemRoute(
  credits: Pick<Credits, 'redeem'>,
  stopwatch: Stopwatch,
  shared: SharedLimits | null,
  limit: RateLimit = REDEEM_LIMIT,
): Route {
  const own = createRateLimiter(limit, LIMITED_ADDRESSES_MAX, stopwatch);
  const limiter = withShared(own, shared, { ...limit, name: 'redeem' });
  const guessFrom = createGuessLimiter(limiter, limit.missPoints - 1);
  return {
    path: '/api/redeem',
    methods: {
      POST: async (req, res) => {
        await takePoint(limiter, req, ATTEMPTS);
        const { code, wallet } = await readPosted(req, res, FORM);
        const guess = await guessFrom(rateKey(callerOf(req)));
        if (guess.kind === 'refused') throw tooMany(ATTEMPTS, guess.retryAfterS);
        // One that could not be looked up tells nobody anything.
        let isMiss = false;
        try {
          const result = await credits.redeem(code, wallet);
          isMiss = result.kind === 'unknown_code';
          return ok(toResponse(result));
        } finally {
          await guess.settle(!isMiss);
        }
      },
    },
  };
}

function toResponse(result: RedeemResult): RedeemResponse {
  switch (result.kind) {
    case 'redeemed': {
      const { token, wallet, creditsAdded, balance, expiresAtMs } = result;
      const expires = new Date(expiresAtMs).toISOString();
      return { ok: true, token, wallet, credits_added: creditsAdded, balance, expires, note: NOTE };
    }
    case 'unknown_code':
      throw new Problem('unknown_promo_code', 'there is no such code: check its spelling');
    case 'already_redeemed':
      throw new Problem(
        'promo_already_redeemed',
        'this wallet has already redeemed this code; each wallet can redeem a code once',
      );
    case 'expired':
      throw new Problem('promo_gone', 'this code has expired: look for a newer one');
    case 'exhausted':
      throw new Problem(
        'promo_gone',
        'this code has been redeemed by as many wallets as it allows: look for another one',
      );
  }
}
