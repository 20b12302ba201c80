import { type CreditsResponse, PACK_TERMS } from '#api/credits';
import { Problem } from '#domain/errors';
import type { Credits } from './credits.js';

/** What reading a balance needs of the credits service. */
export type BalanceReader = Pick<Credits, 'authenticate' | 'balanceOf'>;

/** Of credentials that are no bearer token: nobody looked whether there is one in them. */
export const BEARER_FORM =
  'Authorization is not of the form "Bearer <token>": send the word Bearer, a space and the whole token (tk_...); ' +
  'to get one, buy credits at POST /api/credits or redeem a code at POST /api/redeem';

/**
 * Returns the terms of the pack, and with a valid token the balance (docs/interface-paying.md,
 * "Credit resources"). `token` is null if none was given, "" if credentials of another form
 * were. Rejects with a Problem where it is not valid, or with what the store rejected with.
 */
export async function creditsAnswer(credits: BalanceReader, token: string | null): Promise<CreditsResponse> {
  if (token === null) return PACK_TERMS;
  if (token === '') throw new Problem('invalid_token', `${BEARER_FORM}; leave it out to see the terms`);
  const bearer = await credits.authenticate(token);
  if (bearer === null) {
    const text =
      'the bearer token is invalid or expired: for a new one buy credits at POST /api/credits or redeem a code at ' +
      'POST /api/redeem; leave Authorization out to see the terms';
    throw new Problem('invalid_token', text);
  }
  const { balance, expiresAtMs } = await credits.balanceOf(bearer);
  const { ok, ...terms } = PACK_TERMS;
  const expires = expiresAtMs === null ? {} : { expires: new Date(expiresAtMs).toISOString() };
  return { ok, balance, ...expires, ...terms };
}
