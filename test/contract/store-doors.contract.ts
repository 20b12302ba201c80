import { expect } from 'chai';
import { messageSigner } from '#adapters/chain/message-signer';
import { createStoreKey } from '#adapters/keys/store-key';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { addToken } from '#domain/credits/token';
import type { Store, StoredAnswer } from '#ports/store';
import { createCredits } from '#services/credits/credits';
import { samplePayment } from './support/sample-payment.js';
import { walletNumber } from './support/wallet-number.js';

const A = walletNumber(0xa);
/** Tries of what goes wrong only now and then. */
const TRIES = 20;
const KEY = createStoreKey(new Uint8Array(32).fill(7));

const creditsOver = (store: Store) =>
  createCredits({ store, key: KEY, signer: messageSigner, clock: systemClock, random: systemRandom });

/**
 * What many callers at two doors of one store must not be able to do. To be called inside a suite
 * that opens them.
 */
export function describeStoreDoors(doors: () => readonly [Store, Store]): void {
  describe('with the rules of credits at both doors', () => {
    let one: Store;
    let other: Store;
    beforeEach(() => {
      [one, other] = doors();
    });
    const doorOf = (n: number) => (n % 2 === 0 ? one : other);

    it('charges an Idempotency-Key once, and gives both callers the same bytes', async () => {
      const [here, there] = [creditsOver(one), creditsOver(other)];
      await here.grant(A, 1_000, 30, 'doors');
      const bearer = { wallet: A, scope: 'purchase' as const, code: null };
      for (let n = 0; n < TRIES; n++) {
        const charge = (credits: typeof here) =>
          credits.charge({
            bearer,
            tool: 'preflight_trade',
            credits: 1,
            requestId: `r${n}`,
            idempotency: { key: `k${n}`, fingerprint: 'f' },
            render: ({ creditsRemaining }) => `{"made":"${systemRandom.next()}","left":${creditsRemaining}}`,
          });
        const [first, second] = await Promise.all([charge(here), charge(there)]);
        expect([first.kind, second.kind].sort(), `try ${n}`).to.deep.equal(['charged', 'replayed']);
        expect('body' in first && 'body' in second && first.body === second.body, `try ${n}`).to.equal(true);
      }
      expect((await here.balanceOf(bearer)).balance).to.equal(1_000 - TRIES);
    });

    it('gives a wallet the credits of a code once', async () => {
      const [here, there] = [creditsOver(one), creditsOver(other)];
      await here.createPromo({ code: 'SPRING', credits: 5, walletsMax: 1_000, days: 30 });
      for (let n = 1; n <= TRIES; n++) {
        const wallet = walletNumber(n);
        const kinds = (await Promise.all([here.redeem('SPRING', wallet), there.redeem('SPRING', wallet)])).map(
          ({ kind }) => kind,
        );
        expect(kinds.sort(), `wallet ${n}`).to.deep.equal(['already_redeemed', 'redeemed']);
      }
    });

    it('holds a cap of 100 wallets however many redeem at once', async () => {
      const fixtures = [creditsOver(one), creditsOver(other)];
      await fixtures[0]!.createPromo({ code: 'CAPPED', credits: 5, walletsMax: 100, days: 30 });
      const kinds = await Promise.all(
        Array.from(
          { length: 500 },
          async (_, n) => (await fixtures[n % 2]!.redeem('CAPPED', walletNumber(n + 1))).kind,
        ),
      );
      expect(kinds.filter((kind) => kind === 'redeemed')).to.have.length(100);
      expect(new Set(kinds)).to.deep.equal(new Set(['redeemed', 'exhausted']));
      expect((await one.promos())[0]!.redeemed).to.equal(100);
      expect((await one.redemptions([...(await one.promos())][0]!.code, null, 1_000)).items).to.have.length(100);
    });

    it('loses no token of a wallet that had none', async () => {
      for (let n = 1; n <= TRIES; n++) {
        const wallet = walletNumber(n);
        const mint = (door: Store, byte: string) =>
          door.transact({ tokens: wallet }, ({ tokens }) => {
            const record = { secretHash: byte.repeat(64), issuedAtMs: 1, scope: 'purchase' as const, code: null };
            return { writes: { tokens: addToken(wallet, tokens, record) }, result: null };
          });
        await Promise.all([mint(one, 'a'), mint(other, 'b'), mint(one, 'c')]);
        const hashes = (await other.tokens(wallet))!.tokens.map(({ secretHash }) => secretHash[0]);
        expect(hashes.sort(), `wallet ${n}`).to.deep.equal(['a', 'b', 'c']);
      }
    });

    it('renews an answer that has lapsed once, and shows both callers the same', async () => {
      for (let n = 0; n < TRIES; n++) {
        const lapsed: StoredAnswer = {
          ...{ wallet: A, code: null, key: `k${n}`, fingerprint: 'f' },
          ...{ body: 'old', expiresAtMs: 5 },
        };
        await one.transact({ answer: lapsed }, () => ({ writes: { answer: lapsed }, result: null }));
        const renew = (door: Store, body: string) =>
          door.transact({ answer: lapsed }, ({ answer }) =>
            answer!.expiresAtMs > 10
              ? { writes: {}, result: answer!.body }
              : { writes: { answer: { ...lapsed, body, expiresAtMs: 50 } }, result: body },
          );
        const bodies = await Promise.all([renew(one, 'a'), renew(other, 'b')]);
        expect(new Set(bodies).size, `try ${n}: ${bodies.join()}`).to.equal(1);
      }
    });

    it('takes one transfer as the proof of one payment', async () => {
      for (let n = 1; n <= TRIES; n++) {
        const transaction = `0x${n.toString(16).padStart(64, '0')}`;
        const proof = { kind: 'proven', transaction, blockNumber: 8, logIndex: 1, isFinal: true } as const;
        const settle = (door: Store, row: ReturnType<typeof samplePayment>) =>
          door.transact({ payment: row.key, transfer: proof }, ({ transfer }) =>
            transfer === null
              ? { writes: { payment: { ...row, state: 'SETTLED', open: false, transaction, proof } }, result: true }
              : { writes: {}, result: transfer === row.key },
          );
        const won = await Promise.all([settle(one, samplePayment(2 * n)), settle(other, samplePayment(2 * n + 1))]);
        expect(
          won.filter((isOurs) => isOurs),
          `transfer ${n}`,
        ).to.have.length(1);
      }
    });

    it('finishes what was begun at a door before it closes, and loses nothing of the other', async () => {
      const give = (door: Store, n: number) =>
        door.transact({ promo: `P${n}` }, () => ({
          writes: {
            promo: {
              ...{ code: `P${n}`, credits: 1, walletsMax: 1, redeemed: 0 },
              ...{ createdAtMs: 1, expiresAtMs: 2, revokedAtMs: null },
            },
          },
          result: n,
        }));
      const begun = Array.from({ length: 100 }, (_, n) => give(doorOf(n), n));
      const closed = other.close();
      expect(await Promise.all(begun)).to.deep.equal(Array.from({ length: 100 }, (_, n) => n));
      await closed;
      expect(await one.promos()).to.have.length(100);
    });
  });
}
