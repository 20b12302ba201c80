import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type CreditsModule, openCredits } from '#compose/credits';
import { nameOfCode } from '#services/credits/promo-names';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { linesOf, throwDice } from '#test/support/killed-process';
import { KILL_ROUNDS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { bearerOf } from '../support/credits-home.js';

const CHILD = fileURLToPath(new URL('../support/promo-kill-child.js', import.meta.url));
const CODE = 'STAMPEDE';
const WALLETS = 3_000;
const WALLETS_MAX = 2_000;
const CREDITS = 7;
/**
 * The child is killed at a random moment within this time of its first redemption, somewhere in the
 * stampede or just after.
 */
const KILL_WITHIN_MS = 200;

/**
 * Numbers of the wallets that have what a redemption gives, looked for in each of the places where
 * it is written.
 */
async function traces({
  store,
  key,
}: CreditsModule): Promise<Record<'counted' | 'rows' | 'lots' | 'tokens', readonly number[]>> {
  const name = nameOfCode({ key }, CODE);
  const { items } = await store.redemptions(name, null, WALLETS);
  const lots: number[] = [];
  const tokens: number[] = [];
  for (let n = 1; n <= WALLETS; n++) {
    const account = await store.account(walletNumber(n));
    for (const { kind, source, remaining } of account?.lots ?? []) {
      if (kind === 'promo' && source === name && remaining === CREDITS) lots.push(n);
    }
    for (const _ of (await store.tokens(walletNumber(n)))?.tokens ?? []) tokens.push(n);
  }
  const [promo] = await store.promos();
  const counted = Array.from({ length: promo?.redeemed ?? 0 }, (_, i) => i);
  return { counted, rows: items.map(({ wallet }) => Number(wallet)), lots, tokens };
}

/**
 * Throws unless every redemption is whole, the cap is kept and every acknowledged token works.
 * Returns the redemptions.
 */
async function checkWhole(module: CreditsModule, acknowledged: ReadonlyMap<number, string>): Promise<number> {
  const { counted, rows, lots, tokens } = await traces(module);
  expect(rows.length).to.be.at.most(WALLETS_MAX);
  expect(counted.length, 'the code counts other than its redemptions').to.equal(rows.length);
  expect(lots, 'credits without redemption, or the reverse').to.deep.equal(rows);
  expect(tokens, 'tokens without redemption, or the reverse').to.deep.equal(rows);
  for (const [n, token] of acknowledged) {
    const bearer = { ...bearerOf(walletNumber(n), CODE), code: nameOfCode(module, CODE) };
    expect(await module.credits.authenticate(token), `wallet ${n} was told`).to.deep.equal(bearer);
  }
  return rows.length;
}

describe('a promo code in a stampede', () => {
  it('gives whole redemptions and never more than its cap, whatever instant the process dies', async function () {
    this.timeout(PROCESS_TEST_MS);
    const dice = throwDice();
    console.log(`      seed ${dice.seed}`);
    const redeemed: number[] = [];
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const fixture = await makeLmdbFixture();
      const acknowledged = new Map<number, string>();
      const withCredits = async <T>(use: (opened: CreditsModule) => Promise<T>): Promise<T> => {
        const opened = openCredits(fixture.dataDir);
        return use(opened).finally(() => opened.store.close());
      };
      const stampede = async (killAfterMs: number | null) => {
        const { lines } = await linesOf(CHILD, [fixture.dataDir, CODE, String(WALLETS)], killAfterMs);
        for (const [what, n, token = ''] of lines.map((line) => line.split(' '))) {
          if (what === 'ack') acknowledged.set(Number(n), token);
        }
        return withCredits((opened) => checkWhole(opened, acknowledged));
      };
      await withCredits(({ credits }) =>
        credits.createPromo({ code: CODE, credits: CREDITS, walletsMax: WALLETS_MAX, days: 1 }),
      );
      redeemed.push(await stampede(dice.next() * KILL_WITHIN_MS));
      expect(await stampede(null), `round ${round}`).to.equal(WALLETS_MAX);
      await fixture.remove();
    }
    console.log(`      redeemed when killed ${redeemed.join(' ')}, then ${WALLETS_MAX} each`);
  });
});
