import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { openCredits } from '#compose/credits';
import type { LedgerEntry } from '#domain/credits/credits';
import { walletNumber } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { linesOf, throwDice } from '#test/support/killed-process';
import { KILL_ROUNDS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(new URL('../support/credits-kill-child.js', import.meta.url));
const WALLETS = 5;
const CREDITS_EACH = 100_000;
/** The child is killed at a random moment within this time of its first debits. */
const KILL_WITHIN_MS = 300;

/**
 * Runs the child, kills it that long after it began, and returns the request ids that it
 * acknowledged.
 */
async function acknowledgedBeforeKill(dataDir: string, round: string, killAfterMs: number): Promise<readonly string[]> {
  const { lines, killed } = await linesOf(CHILD, [dataDir, String(WALLETS), round], killAfterMs);
  if (!killed) throw new Error('the child was not killed');
  return lines.filter((line) => line.startsWith('ack ')).map((line) => line.slice('ack '.length));
}

/**
 * Throws unless the wallet's ledger is whole, adds up to its balance and debits each request once.
 * Returns its debits.
 */
async function checkedDebits(dataDir: string, n: number): Promise<readonly LedgerEntry[]> {
  const store = openLmdbStore({ path: lmdbPath(dataDir) });
  try {
    const ledger = await store.ledger(walletNumber(n), 1_000_000);
    const lots = (await store.account(walletNumber(n)))?.lots ?? [];
    const debits = ledger.filter((entry) => entry.kind === 'debit');
    const spent = debits.reduce((sum, entry) => sum + entry.credits, 0);
    expect(ledger.map((entry) => entry.number)).to.deep.equal(ledger.map((_, i) => i + 1));
    expect(ledger.at(-1)?.balanceAfter).to.equal(CREDITS_EACH - spent);
    expect(lots.reduce((sum, lot) => sum + lot.remaining, 0)).to.equal(CREDITS_EACH - spent);
    expect(new Set(debits.map((entry) => entry.requestId)).size, 'a request was debited twice').to.equal(debits.length);
    for (const { requestId, balanceAfter } of debits) {
      const stored = await store.answer({ wallet: walletNumber(n), code: null, key: requestId ?? '' });
      expect(stored?.body, 'a debit without its answer').to.equal(`${requestId} ${balanceAfter}`);
    }
    return debits;
  } finally {
    await store.close();
  }
}

describe('credits when the process is killed', () => {
  it('lose no acknowledged debit and spend no credit twice, whatever instant the process dies', async function () {
    this.timeout(PROCESS_TEST_MS);
    const dice = throwDice();
    const fixture = await makeLmdbFixture();
    const { store, credits } = openCredits(fixture.dataDir);
    for (let n = 1; n <= WALLETS; n++) await credits.grant(walletNumber(n), CREDITS_EACH, 365, 'kill test');
    await store.close();
    const acknowledged = new Set<string>();
    const acks: number[] = [];
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const ids = await acknowledgedBeforeKill(fixture.dataDir, `round${round}`, dice.next() * KILL_WITHIN_MS);
      for (const id of ids) acknowledged.add(id);
      acks.push(ids.length);
      const booked = new Set<string | null>();
      for (let n = 1; n <= WALLETS; n++)
        for (const { requestId } of await checkedDebits(fixture.dataDir, n)) booked.add(requestId);
      const lost = [...acknowledged].filter((id) => !booked.has(id));
      expect(lost, `seed ${dice.seed}, round ${round}: acknowledged, and not in the ledger`).to.deep.equal([]);
    }
    console.log(`      seed ${dice.seed}: ${KILL_ROUNDS} kills, acknowledged debits per round ${acks.join(' ')}`);
    await fixture.remove();
  });
});
