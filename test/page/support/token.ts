import { expect } from 'chai';
import type { LocalProcess } from '#test/support/local-process';
import { newAccount } from '#test/support/signed-payments';

/** Returns a token with the free credits of the local profile's code, for a wallet of its own. */
export async function tokenOf({ facts: { url, promoCode } }: LocalProcess): Promise<string> {
  const answer = await fetch(`${url}/api/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: promoCode, wallet: newAccount().address }),
  });
  const body = (await answer.json()) as { readonly token: string };
  expect(answer.status, JSON.stringify(body)).to.equal(200);
  return body.token;
}
