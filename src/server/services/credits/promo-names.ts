import type { Promo } from '#domain/credits/promo';
import type { CreditsDeps } from './deps.js';

type NameDeps = Pick<CreditsDeps, 'store' | 'key'>;

/** No code has these characters, so a name that was read in the store cannot be redeemed. */
const KEYED = 'hmac:';

/**
 * Returns the name that a new code is kept under: whoever reads the store cannot tell the code, nor
 * try out whether a guess is right.
 */
export function nameOfCode({ key }: Pick<NameDeps, 'key'>, code: string): string {
  return `${KEYED}${Buffer.from(key.mac('promo code', code)).toString('base64url')}`;
}

/**
 * Returns the name that a code is kept under, if there is such a code: those of before are kept as
 * they are.
 */
export async function storedNameOf(deps: NameDeps, code: string): Promise<string> {
  return (await deps.store.promo(code)) === null ? nameOfCode(deps, code) : code;
}

/**
 * Returns the code with its text in the place of its name. It stays the name if the key is another
 * one since.
 */
export function readable({ key }: Pick<NameDeps, 'key'>, promo: Promo): Promo {
  const { sealed, ...open } = promo;
  const code = sealed === undefined ? null : key.unseal('promo code', sealed);
  return code === null ? promo : { ...open, code };
}
