import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb-store';
import { systemRandom } from '#adapters/system-random';
import type { LedgerEntry } from '#domain/credits';
import { openCredits } from '#src/compose-store';
import { makeLmdbHome } from '../contract/lmdb-home.js';
import { walletNumber } from '../contract/store.contract.js';

const CHILD = fileURLToPath(new URL('./credits-kill-child.js', import.meta.url));
const ROUNDS = 10;
const WALLETS = 5;
const CREDITS_EACH = 100_000;
/** The child is killed at a random moment within this time of its first debits. */
const KILL_WITHIN_MS = 300;

/** Repeatable dice (mulberry32); the seed is printed so that a run can be repeated. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs the child, kills it that long after it began, and returns the request ids that it acknowledged. */
function acknowledgedBeforeKill(dataDir: string, round: string, killAfterMs: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, dataDir, String(WALLETS), round], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    let killed = false;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (text === '') {
        setTimeout(() => {
          killed = child.kill('SIGKILL');
        }, killAfterMs);
      }
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (!killed) return reject(new Error(`the child ended by itself with ${code}`));
      const lines = text.split('\n').filter((line) => line.startsWith('ack '));
      return resolve(lines.map((line) => line.slice('ack '.length)));
    });
  });
}

/** Throws unless the wallet's ledger is whole, adds up to its balance and debits each request once. Returns its debits. */
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
      const kept = await store.answer(walletNumber(n), requestId ?? '');
      expect(kept?.body, 'a debit without its answer').to.equal(`${requestId} ${balanceAfter}`);
    }
    return debits;
  } finally {
    await store.close();
  }
}

describe('credits when the process is killed', () => {
  it('lose no acknowledged debit and spend no credit twice, whatever instant the process dies', async function () {
    this.timeout(60_000);
    const seed = Number(process.env.SEED ?? Buffer.from(systemRandom.bytes(4)).readUInt32LE());
    const random = dice(seed);
    const home = await makeLmdbHome();
    const { store, credits } = openCredits(home.dataDir);
    for (let n = 1; n <= WALLETS; n++) await credits.grant(walletNumber(n), CREDITS_EACH, 365, 'kill test');
    await store.close();
    const acknowledged = new Set<string>();
    const acks: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await acknowledgedBeforeKill(home.dataDir, `round${round}`, random() * KILL_WITHIN_MS);
      for (const id of ids) acknowledged.add(id);
      acks.push(ids.length);
      const booked = new Set<string | null>();
      for (let n = 1; n <= WALLETS; n++)
        for (const { requestId } of await checkedDebits(home.dataDir, n)) booked.add(requestId);
      const lost = [...acknowledged].filter((id) => !booked.has(id));
      expect(lost, `seed ${seed}, round ${round}: acknowledged, and not in the ledger`).to.deep.equal([]);
    }
    console.log(`      seed ${seed}: ${ROUNDS} kills, acknowledged debits per round ${acks.join(' ')}`);
    await home.remove();
  });
});
