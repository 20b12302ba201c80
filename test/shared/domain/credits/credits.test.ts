import { expect } from 'chai';
import fc from 'fast-check';
import { type Change, debitCredits, expireLots, grantLot, revokeCredits } from '#domain/credits/credit-changes';
import {
  type Account,
  balanceAt,
  emptyAccount,
  firstExpiryMs,
  type LedgerEntry,
  type LedgerKind,
  type LotFilter,
} from '#domain/credits/credits';
import { decideRedemption, type Promo, parsePromoCode, promoState } from '#domain/credits/promo';
import { addToken, formatToken, parseToken, type TokenSet } from '#domain/credits/token';
import { parseWallet, type WalletAddress } from '#domain/ids';
import { PROPERTY_RUNS } from '#test/support/size';

const WALLET = parseWallet(`0x${'a'.repeat(40)}`) as WalletAddress;

const at = (atMs: number) => ({ operation: 'test', requestId: null, atMs });

function give(account: Account, credits: number, expiresAtMs: number, atMs = 0, source = ''): Account {
  return grantLot(account, { kind: 'promo', credits, expiresAtMs, source }, at(atMs)).account;
}

const left = (account: Account) => account.lots.map((lot) => [lot.id, lot.remaining]);

describe('credit lots', () => {
  it('spends the credits that expire first before the others, and the older of two that expire together', () => {
    const account = give(give(give(emptyAccount(WALLET), 10, 300), 10, 100), 10, 100);
    const debit = debitCredits(account, 15, at(50));
    expect(debit.kind).to.equal('debited');
    expect(left(debit.account)).to.deep.equal([
      [3, 5],
      [1, 10],
    ]);
    expect(debit.entries.at(-1)?.lots).to.deep.equal([
      { lotId: 2, credits: 10 },
      { lotId: 3, credits: 5 },
    ]);
  });

  it('never spends an expired lot, and books it as expired when it is first met', () => {
    const account = give(give(emptyAccount(WALLET), 10, 100), 4, 200);
    const debit = debitCredits(account, 3, at(100));
    expect(debit.entries.map((entry) => [entry.kind, entry.credits, entry.balanceAfter])).to.deep.equal([
      ['expire', 10, 4],
      ['debit', 3, 1],
    ]);
    expect(debit.entries[0]?.lots).to.deep.equal([{ lotId: 1, credits: 10 }]);
  });

  it('keeps a lot until the very millisecond in which it expires', () => {
    const account = give(emptyAccount(WALLET), 10, 100);
    expect([balanceAt(account, 99), firstExpiryMs(account, 99)]).to.deep.equal([10, 100]);
    expect([balanceAt(account, 100), firstExpiryMs(account, 100)]).to.deep.equal([0, null]);
    expect(expireLots(account, { atMs: 99 }).entries).to.deep.equal([]);
    expect(expireLots(account, { atMs: 100 }).account.lots).to.deep.equal([]);
  });

  it('debits all or nothing', () => {
    const account = give(emptyAccount(WALLET), 4, 100);
    const debit = debitCredits(account, 5, at(0));
    expect(debit).to.deep.include({ kind: 'insufficient', balance: 4, entries: [] });
    expect(debit.account).to.equal(account);
  });

  it('revokes as much as there is, or only from the lots that are meant', () => {
    const account = give(give(emptyAccount(WALLET), 10, 100, 0, 'A'), 7, 200, 0, 'B');
    expect(revokeCredits(account, 12, at(0)).revoked).to.equal(12);
    expect(revokeCredits(account, 99, at(0)).revoked).to.equal(17);
    const onlyB = revokeCredits(account, 'all', at(0), (lot) => lot.source === 'B');
    expect(onlyB.revoked).to.equal(7);
    expect(left(onlyB.account)).to.deep.equal([[1, 10]]);
    expect(revokeCredits(emptyAccount(WALLET), 'all', at(0)).entries).to.deep.equal([]);
  });

  it('debits only from the lots that are meant, and counts no others', () => {
    const account = give(give(give(emptyAccount(WALLET), 10, 100, 0, 'A'), 7, 200, 0, 'B'), 5, 300, 0, 'B');
    const onlyB: LotFilter = (lot) => lot.source === 'B';
    expect([balanceAt(account, 0, onlyB), firstExpiryMs(account, 0, onlyB)]).to.deep.equal([12, 200]);
    const debit = debitCredits(account, 9, at(0), onlyB);
    expect(debit).to.include({ kind: 'debited', balance: 3 });
    expect(debit.entries.at(-1)).to.include({ credits: 9, balanceAfter: 13 });
    expect(left(debit.account)).to.deep.equal([
      [1, 10],
      [3, 3],
    ]);
    expect(debitCredits(account, 13, at(0), onlyB)).to.deep.include({ kind: 'insufficient', balance: 12, entries: [] });
    const late = debitCredits(account, 6, at(200), onlyB);
    expect(late.entries.map(({ kind, credits }) => [kind, credits])).to.deep.equal([['expire', 17]]);
    expect(late).to.include({ kind: 'insufficient', balance: 5 });
  });

  it('refuses to move anything but whole credits', () => {
    for (const credits of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => debitCredits(emptyAccount(WALLET), credits, at(0))).to.throw(RangeError);
      expect(() => give(emptyAccount(WALLET), credits, 100)).to.throw(RangeError);
    }
  });
});

type Step =
  | { readonly do: 'grant'; readonly credits: number; readonly forMs: number }
  | { readonly do: 'debit' | 'revoke'; readonly credits: number }
  | { readonly do: 'revokeAll' | 'expire' }
  | { readonly do: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('grant' as const),
    credits: fc.integer({ min: 1, max: 40 }),
    forMs: fc.nat({ max: 60 }),
  }),
  fc.record({ do: fc.constantFrom('debit' as const, 'revoke' as const), credits: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ do: fc.constantFrom('revokeAll' as const, 'expire' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 30 }) }),
);

/**
 * Does a step to the real account. Debits that find too little change nothing but expiry, as in the
 * model.
 */
function perform(account: Account, move: Step, nowMs: number): Change {
  switch (move.do) {
    case 'grant':
      return grantLot(
        account,
        { kind: 'grant', credits: move.credits, expiresAtMs: nowMs + move.forMs, source: '' },
        at(nowMs),
      );
    case 'debit':
      return debitCredits(account, move.credits, at(nowMs));
    case 'revoke':
      return revokeCredits(account, move.credits, at(nowMs));
    case 'revokeAll':
      return revokeCredits(account, 'all', at(nowMs));
    default:
      return expireLots(account, { atMs: nowMs });
  }
}

/** The naive model: one number per single credit, the moment at which it expires. */
function model(coins: number[], move: Step, nowMs: number): number[] {
  const live = coins.filter((expiresAtMs) => expiresAtMs > nowMs).sort((a, b) => a - b);
  switch (move.do) {
    case 'grant':
      return [...live, ...Array<number>(move.credits).fill(nowMs + move.forMs)].filter((end) => end > nowMs);
    case 'debit':
      return live.length < move.credits ? live : live.slice(move.credits);
    case 'revoke':
      return live.slice(move.credits);
    case 'revokeAll':
      return [];
    default:
      return live;
  }
}

const SIGN: Record<LedgerKind, number> = { grant: 1, debit: -1, expire: -1, revoke: -1, refund: 1 };

function checkLedger(ledger: readonly LedgerEntry[], account: Account): void {
  let balance = 0;
  ledger.forEach((entry, index) => {
    balance += SIGN[entry.kind] * entry.credits;
    if (entry.number !== index + 1) throw new Error(`entry ${index} has number ${entry.number}`);
    if (entry.balanceAfter !== balance || balance < 0)
      throw new Error(`balance ${balance}, told ${entry.balanceAfter}`);
    if (entry.lots.reduce((sum, share) => sum + share.credits, 0) !== entry.credits)
      throw new Error('lots do not add up');
  });
  if (account.lots.reduce((sum, lot) => sum + lot.remaining, 0) !== balance) throw new Error('lots are not the ledger');
  if (account.lastEntry !== ledger.length) throw new Error('the account lost count of its entries');
}

describe('credit lots under any sequence of grants, debits, expiry and revocation', () => {
  it('agree with a model that counts single credits, and with their own ledger', () => {
    const property = fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let [account, coins, nowMs] = [emptyAccount(WALLET), [] as number[], 0];
      const ledger: LedgerEntry[] = [];
      for (const move of steps) {
        if (move.do === 'wait') nowMs += move.ms;
        const change = perform(account, move, nowMs);
        account = change.account;
        ledger.push(...change.entries);
        coins = model(coins, move, nowMs);
        if (balanceAt(account, nowMs) !== coins.length)
          throw new Error(`${balanceAt(account, nowMs)} != ${coins.length}`);
        const first = coins.length === 0 ? null : Math.min(...coins);
        if (firstExpiryMs(account, nowMs) !== first) throw new Error('another credit would be spent first');
      }
      checkLedger(ledger, account);
    });
    fc.assert(property, { numRuns: 2 * PROPERTY_RUNS });
  });
});

describe('promo codes', () => {
  const promo: Promo = {
    code: 'SPRING',
    credits: 5,
    walletsMax: 2,
    redeemed: 0,
    createdAtMs: 0,
    expiresAtMs: 100,
    revokedAtMs: null,
  };
  const had = { code: 'SPRING', wallet: WALLET, atMs: 1 };

  it('have one spelling: trimmed and upper case', () => {
    expect(parsePromoCode('  spring-2026_a ')).to.equal('SPRING-2026_A');
    for (const text of ['', 'ab', 'A'.repeat(65), 'a b c', 'ÄÖÜ', 'a/b/c', 'abc\u0000']) {
      expect(parsePromoCode(text), JSON.stringify(text)).to.equal(null);
    }
  });

  it('are decided in the order that helps the asker most', () => {
    const spent = { ...promo, redeemed: 2 };
    expect(decideRedemption(null, null, 0).kind).to.equal('unknown_code');
    expect(decideRedemption(promo, null, 99)).to.deep.equal({ kind: 'ok', promo });
    expect(decideRedemption(promo, null, 100).kind).to.equal('expired');
    expect(decideRedemption({ ...promo, revokedAtMs: 5 }, null, 6).kind).to.equal('expired');
    expect(decideRedemption(spent, null, 0).kind).to.equal('exhausted');
    expect(decideRedemption({ ...spent, expiresAtMs: 5 }, null, 6).kind).to.equal('expired');
    expect(decideRedemption(spent, had, 200).kind).to.equal('already_redeemed');
  });

  it('tell operators how they stand', () => {
    expect(promoState(promo, 0)).to.equal('active');
    expect(promoState(promo, 100)).to.equal('expired');
    expect(promoState({ ...promo, redeemed: 2 }, 0)).to.equal('exhausted');
    expect(promoState({ ...promo, redeemed: 2, revokedAtMs: 1 }, 100)).to.equal('revoked');
  });
});

describe('bearer tokens', () => {
  const secret = 'A'.repeat(43);

  it('have the form tk_<wallet>_<secret> and no other', () => {
    const token = formatToken(WALLET, secret);
    expect(parseToken(token)).to.deep.equal({ wallet: WALLET, secret });
    const wrong = [
      token.toUpperCase(),
      ` ${token}`,
      `${token}A`,
      token.slice(0, -1),
      token.replace('_', '-'),
      '',
      'tk_',
    ];
    for (const text of wrong) expect(parseToken(text), text).to.equal(null);
  });

  it('are kept to the last five of a wallet and a scope', () => {
    let set: TokenSet | null = null;
    for (let i = 1; i <= 7; i++)
      set = addToken(WALLET, set, { secretHash: String(i), issuedAtMs: i, scope: 'purchase', code: null });
    for (let i = 8; i <= 14; i++)
      set = addToken(WALLET, set, { secretHash: String(i), issuedAtMs: i, scope: 'promo', code: 'SPRING' });
    const hashes = set?.tokens.map((token) => Number(token.secretHash));
    expect(hashes).to.deep.equal([3, 4, 5, 6, 7, 10, 11, 12, 13, 14]);
  });
});
