import { type CreditsResponse, PACK_TERMS } from '#api/credits';
import { Problem } from '#domain/errors';
import type { Credits } from '#services/credits';
import { ok } from './answer.js';
import { readBearer } from './bearer.js';
import type { Route } from './routes.js';

/** GET /api/credits: the terms of the pack, and with a valid token the balance. Free. */
export function creditsRoute(credits: Pick<Credits, 'authenticate' | 'balanceOf'>): Route {
  return {
    path: '/api/credits',
    methods: {
      GET: async (req) => {
        if (Object.keys(req.query).length > 0) {
          throw new Problem('invalid_parameter', 'this endpoint takes no parameters: send the token in Authorization');
        }
        const token = readBearer(req);
        if (token === null) return ok(PACK_TERMS);
        const wallet = token === '' ? null : await credits.authenticate(token);
        if (wallet === null) {
          throw new Problem(
            'invalid_token',
            'the bearer token is invalid or expired: leave Authorization out to see the terms',
          );
        }
        return ok(withBalance(await credits.balanceOf(wallet)));
      },
    },
  };
}

function withBalance({ balance, expiresAtMs }: Awaited<ReturnType<Credits['balanceOf']>>): CreditsResponse {
  const { ok: fine, ...terms } = PACK_TERMS;
  const expires = expiresAtMs === null ? {} : { expires: new Date(expiresAtMs).toISOString() };
  return { ok: fine, balance, ...expires, ...terms };
}
