import type { Promo } from '../credits/promo.js';
import { TOKEN_SCOPES, TOKENS_PER_SCOPE, type TokenSet } from '../credits/token.js';
import { parseWallet } from '../ids.js';
import { broken, type StoreFault } from './fault.js';

const SECRET_HASH = /^[0-9a-f]{64}$/;

/** Returns what is wrong with a wallet's tokens. */
export function tokenFaults({ wallet, tokens }: TokenSet): readonly StoreFault[] {
  const where = `tokens of ${wallet}`;
  const remedy = `preflightctl admin tokens revoke --wallet ${wallet}, and issue new ones`;
  const faults: StoreFault[] = [];
  for (const scope of TOKEN_SCOPES) {
    const count = tokens.filter((token) => token.scope === scope).length;
    if (count <= TOKENS_PER_SCOPE) continue;
    faults.push({ where, what: `${count} of scope ${scope} are valid, and ${TOKENS_PER_SCOPE} may be`, remedy });
  }
  if (tokens.some(({ secretHash }) => !SECRET_HASH.test(secretHash))) {
    faults.push({ where, what: 'one is not the hash of a secret', remedy });
  }
  if (new Set(tokens.map(({ secretHash }) => secretHash)).size !== tokens.length) {
    faults.push({ where, what: 'two have one secret', remedy });
  }
  if (tokens.some(({ scope, code }) => scope === 'purchase' && code !== null)) {
    faults.push({ where, what: 'one of scope purchase is bound to a code', remedy });
  }
  return faults;
}

/**
 * Returns what is wrong with a code. `counted`: its redemptions, which were counted between two
 * looks at the code: `before` and `after` are what it said.
 */
export function promoFaults(
  { code, credits, walletsMax }: Promo,
  { before, counted, after }: { readonly before: number; readonly counted: number; readonly after: number },
): readonly StoreFault[] {
  const where = `promo ${code}`;
  const faults: StoreFault[] = [];
  if (counted < before || counted > after) {
    const said = before === after ? `${before}` : `${before} to ${after}`;
    faults.push(broken(where, `it says ${said} redemptions, and there are ${counted}`));
  }
  if (after > walletsMax) {
    faults.push(broken(where, `${after} wallets redeemed it, and ${walletsMax} may`));
  }
  if (credits < 1) faults.push(broken(where, `it gives ${credits} credits`));
  return faults;
}

/** The most characters of an Idempotency-Key. */
const KEY_LENGTH_MAX = 255;

/** Returns what is wrong with the key under which an answer is kept. */
export function answerFaults({
  wallet,
  code,
  key,
}: {
  readonly wallet: string;
  readonly code: string | null;
  readonly key: string;
}): readonly StoreFault[] {
  const isKey = key.length >= 1 && key.length <= KEY_LENGTH_MAX;
  const isCode = code === null || (code !== '' && !code.includes('/'));
  if (parseWallet(wallet) === wallet && isCode && isKey) return [];
  return [
    broken(`answer ${wallet} ${code ?? ''}`.trimEnd(), 'it cannot be asked for: its key is not one of an answer'),
  ];
}
