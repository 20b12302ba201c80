import { grantLot, revokeCredits } from '#domain/credits/credit-changes';
import {
  CREDIT_VALID_DAYS,
  CREDITS_PER_GRANT_MAX,
  emptyAccount,
  type Lot,
  sumRemaining,
} from '#domain/credits/credits';
import { decideRedemption, PROMO_WALLETS_MAX, type Promo, parsePromoCode, VALID_DAYS_MAX } from '#domain/credits/promo';
import { addToken, SECRET_BYTES, spendableBy } from '#domain/credits/token';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { DAY_MS } from '#domain/time';
import type { Cursor, Decision, Rows, Store } from '#ports/store';
import { NOTHING_LAPSES_MS } from '../time/believed-clock.js';
import { assertWhole } from './bounds.js';
import type { CreditsDeps } from './deps.js';
import { storedNameOf } from './promo-names.js';
import { type MintedToken, mintToken } from './token-secrets.js';

/** Wallets looked at between two waits while a code's credits are taken back. */
const REVOKE_PAGE = 200;

/** Terms of a new promo code, as an operator sets them. */
export interface PromoTerms {
  readonly code: string;
  /** Credits per wallet. */
  readonly credits: number;
  readonly walletsMax: number;
  /** How long the code can be redeemed; the credits it gives live 365 days. */
  readonly days: number;
}

export type RedeemResult =
  | {
      readonly kind: 'redeemed';
      /** Shown in full only here. */
      readonly token: string;
      readonly wallet: WalletAddress;
      readonly creditsAdded: number;
      /**
       * What this token may spend: the credits of this redemption. Other credits of the wallet are
       * nobody else's business.
       */
      readonly balance: number;
      /** When the added credits expire. */
      readonly expiresAtMs: number;
    }
  /**
   * `expired` also if an operator took the code back; `exhausted`: all of the first N wallets have
   * come.
   */
  | { readonly kind: 'unknown_code' | 'already_redeemed' | 'expired' | 'exhausted' };

export type RevokePromoResult =
  | {
      readonly kind: 'revoked';
      readonly code: string;
      /** Whether it was over already: it may all have been taken back then. */
      readonly wasOver: boolean;
      /** What was left of the credits it gave, and of how many wallets it was taken. */
      readonly creditsTakenBack: number;
      readonly wallets: number;
    }
  | { readonly kind: 'unknown_code' };

/** Makes a code. It begins now and is never made twice, also not after it was revoked. */
export async function createPromo(
  deps: CreditsDeps,
  { code: text, credits, walletsMax, days }: PromoTerms,
): Promise<'created' | 'exists'> {
  const { store, clock, key } = deps;
  const code = requireCode(text);
  assertWhole('credits', credits, CREDITS_PER_GRANT_MAX);
  assertWhole('wallets', walletsMax, PROMO_WALLETS_MAX);
  assertWhole('days', days, VALID_DAYS_MAX);
  const createdAtMs = clock.nowMs();
  const expiresAtMs = createdAtMs + days * DAY_MS;
  const name = await storedNameOf(deps, code);
  const terms = { credits, walletsMax, redeemed: 0, createdAtMs, expiresAtMs, revokedAtMs: null };
  const promo: Promo = { code: name, sealed: key.seal('promo code', code), ...terms };
  return store.transact({ promo: name }, (rows) =>
    rows.promo === null ? { writes: { promo }, result: 'created' } : { writes: {}, result: 'exists' },
  );
}

/**
 * Counts the wallet, gives the credits and keeps the token in one transaction, so that a cap of N
 * gives N times.
 */
export async function redeem(deps: CreditsDeps, text: string, wallet: WalletAddress): Promise<RedeemResult> {
  const { store, clock, lapses = clock, random } = deps;
  const given = parsePromoCode(text);
  if (given === null) return { kind: 'unknown_code' };
  const code = await storedNameOf(deps, given);
  const moment = { nowMs: clock.nowMs(), lapsedByMs: lapses.nowMs() };
  const { nowMs, lapsedByMs } = moment;
  const minted = mintToken(random.bytes(SECRET_BYTES), { wallet, scope: 'promo', code, nowMs });
  return store.transact(
    { account: wallet, tokens: wallet, promo: code, redemption: { code, wallet } },
    (rows): Decision<RedeemResult> => {
      const decision = decideRedemption(rows.promo, rows.redemption, lapsedByMs);
      if (decision.kind !== 'ok') return { writes: {}, result: decision };
      return give(rows, decision.promo, wallet, minted, moment);
    },
  );
}

function give(
  rows: Rows,
  promo: Promo,
  wallet: WalletAddress,
  minted: MintedToken,
  { nowMs, lapsedByMs }: { readonly nowMs: number; readonly lapsedByMs: number },
): Decision<RedeemResult> {
  const { code, credits } = promo;
  const expiresAtMs = nowMs + CREDIT_VALID_DAYS * DAY_MS;
  const change = grantLot(
    rows.account ?? emptyAccount(wallet),
    { kind: 'promo', credits, expiresAtMs, source: code },
    { operation: `redeem ${code}`, requestId: null, atMs: nowMs, lapsedByMs },
  );
  const balance = sumRemaining(change.account.lots, spendableBy({ scope: 'promo', code }));
  return {
    writes: {
      change,
      tokens: addToken(wallet, rows.tokens, minted.record),
      promo: { ...promo, redeemed: promo.redeemed + 1 },
      redemption: { code, wallet, atMs: nowMs },
    },
    result: { kind: 'redeemed', token: minted.token, wallet, creditsAdded: credits, balance, expiresAtMs },
  };
}

/**
 * First ends the code, then takes the credits back wallet by wallet: once it is ended, no wallet
 * can join the list.
 */
export async function revokePromo(deps: CreditsDeps, text: string): Promise<RevokePromoResult> {
  const { store, clock } = deps;
  const given = requireCode(text);
  const code = await storedNameOf(deps, given);
  const nowMs = clock.nowMs();
  const wasOver = await store.transact<boolean | null>({ promo: code }, ({ promo }) => {
    if (promo === null || promo.revokedAtMs !== null) return { writes: {}, result: promo === null ? null : true };
    return { writes: { promo: { ...promo, revokedAtMs: nowMs } }, result: false };
  });
  if (wasOver === null) return { kind: 'unknown_code' };
  let [creditsTakenBack, wallets] = [0, 0];
  let from: Cursor = null;
  do {
    const page = await store.redemptions(code, from, REVOKE_PAGE);
    const taken = await Promise.all(page.items.map(({ wallet }) => takeBack(store, code, wallet, nowMs)));
    for (const credits of taken) creditsTakenBack += credits;
    wallets += taken.filter((credits) => credits > 0).length;
    from = page.next;
  } while (from !== null);
  return { kind: 'revoked', code: given, wasOver, creditsTakenBack, wallets };
}

function takeBack(store: Store, code: string, wallet: WalletAddress, atMs: number): Promise<number> {
  return store.transact({ account: wallet }, ({ account }) => {
    const cause = { operation: `revoke ${code}`, requestId: null, atMs, lapsedByMs: NOTHING_LAPSES_MS };
    const ofCode = ({ kind, source, expiresAtMs }: Lot) => kind === 'promo' && source === code && expiresAtMs > atMs;
    const change = revokeCredits(account ?? emptyAccount(wallet), 'all', cause, ofCode);
    return { writes: { change }, result: change.revoked };
  });
}

function requireCode(text: string): string {
  const code = parsePromoCode(text);
  if (code === null) {
    throw new Problem('invalid_parameter', 'code must be 3 to 64 letters, digits, "_" or "-", for example SPRING-2026');
  }
  return code;
}
