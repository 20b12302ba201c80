import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { memoryState } from '#client/index';
import { fileState } from '#client/node/file-state';
import type { Budget } from '#client/state/ports';
import { ManualClock } from '#test/support/manual-clock';
import { SHORT_LIVED } from '#test/support/short-lived';
import { CLAIM_RACES, type ClaimRace } from '#test/support/size';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(new URL('../support/claim-child.js', import.meta.url));
const PAYER = `0x${'a1'.repeat(20)}`;
const HOUR_MS = 3_600_000;

describe('the budget in files', () => {
  let home: string;
  let clock: ManualClock;
  beforeEach(() => {
    home = join(tempFolder('home'), 'state');
    clock = new ManualClock(Date.UTC(2026, 6, 14));
  });
  let purchases = 0;
  const claim = (count: number, cap = 20, budget: Budget = 'cents', purchaseId = `p${++purchases}`) =>
    fileState(home, clock).ledger.claim({ payer: PAYER, budget, count, cap, purchaseId });
  const spent = (budget: Budget = 'cents') => fileState(home, clock).ledger.spent(PAYER, budget);

  it('gives out no more than its cap, whichever program asks, and says how much is spent', async () => {
    expect(await claim(10)).to.deep.equal({ kind: 'claimed' });
    expect(await claim(8)).to.deep.equal({ kind: 'claimed' });
    expect(await claim(10)).to.deep.equal({ kind: 'over', spent: 18 });
    expect(await claim(2)).to.deep.equal({ kind: 'claimed' });
    expect(await claim(1)).to.deep.equal({ kind: 'over', spent: 20 });
    expect(await spent()).to.equal(20);
  });

  it('claims once for a purchase that is resumed', async () => {
    for (let i = 0; i < 3; i++) expect(await claim(10, 20, 'cents', 'same')).to.deep.equal({ kind: 'claimed' });
    expect(await spent()).to.equal(10);
  });

  it('gives out what is 24 hours old, and keeps what is younger', async () => {
    await claim(12);
    clock.advance(13 * HOUR_MS);
    await claim(8);
    clock.advance(11 * HOUR_MS);
    expect(await spent()).to.equal(8);
    expect(await claim(12)).to.deep.equal({ kind: 'claimed' });
    expect(await claim(2)).to.deep.equal({ kind: 'over', spent: 20 });
  });

  it('gives out the same for weeks, and its folder does not grow for ever', async () => {
    for (let day = 0; day < 10; day++) {
      for (let n = 0; n < 2; n++) expect(await claim(10)).to.deep.equal({ kind: 'claimed' });
      expect(await claim(1)).to.deep.equal({ kind: 'over', spent: 20 });
      clock.advance(24 * HOUR_MS);
    }
    expect(filesIn('cents')).to.be.at.most(2 * 20);
  });

  it('gives out nothing more when the clock is set back', async () => {
    await claim(20);
    clock.advance(-HOUR_MS);
    expect(await claim(2)).to.deep.equal({ kind: 'over', spent: 20 });
    clock.advance(24 * HOUR_MS);
    expect(await claim(2)).to.deep.equal({ kind: 'over', spent: 20 });
  });

  it('counts a torn slot as taken', async () => {
    await claim(2);
    writeFileSync(join(home, PAYER, 'cents', '2.0'), '');
    clock = new ManualClock(Date.now());
    expect(await spent()).to.equal(1);
    expect(await claim(20)).to.deep.equal({ kind: 'over', spent: 1 });
  });

  it('gives out nothing under a cap that is no number, and neither does the one in memory', async () => {
    for (const { ledger } of [fileState(home, clock), memoryState(clock)]) {
      const claim = { payer: PAYER, budget: 'packs', count: 1, cap: Number.NaN, purchaseId: 'p' } as const;
      expect(await ledger.claim(claim)).to.deep.equal({ kind: 'over', spent: 0 });
    }
  });

  it('counts calls and packs apart', async () => {
    await claim(20);
    expect(await claim(1, 1, 'packs')).to.deep.equal({ kind: 'claimed' });
    expect(await claim(1, 1, 'packs')).to.deep.equal({ kind: 'over', spent: 1 });
  });

  it('gives out nothing where it cannot write, or where others can reach', async () => {
    const failed = (work: Promise<unknown>) =>
      work.then(
        () => 'given out',
        (error: Error) => error.message,
      );
    writeFileSync(home, 'a file in the place of the folder');
    expect(await failed(claim(1))).to.match(/EEXIST|ENOTDIR/);
    rmSync(home);
    mkdirSync(home, { mode: 0o700 });
    chmodSync(home, 0o755);
    expect(await failed(claim(1))).to.equal(`${home} is open to other users of this machine: chmod 700 ${home}`);
    chmodSync(home, 0o700);
    expect(await failed(claim(1))).to.equal('given out');
  });

  function filesIn(budget: string): number {
    return existsSync(join(home, PAYER, budget)) ? readdirSync(join(home, PAYER, budget)).length : 0;
  }

  describe('that many processes share, some of which die', function () {
    this.timeout(CLAIM_RACES.minutes * 60_000 + PROCESS_TEST_MS);
    for (const seed of CLAIM_RACES.seeds) {
      it(`never lets more be signed than its cap (seed ${seed})`, async () => {
        const cap = 200;
        const signed = join(home, '..', 'signed');
        writeFileSync(signed, '');
        await race({ ...CLAIM_RACES, seed, home, signed, cap });
        const cents = readFileSync(signed, 'utf8').split('\n').slice(0, -1).map(Number);
        const sum = cents.reduce((a, b) => a + b, 0);
        console.log(`      ${sum} of ${cap} cents signed`);
        expect(sum).to.be.at.most(cap);
        expect(sum).to.be.above(cap / 4);
      });
    }
  });
});

/**
 * Starts so many processes that claim, kills so many of them at random moments, and waits for the
 * others.
 */
async function race({
  processes,
  kills,
  atOnce,
  seed,
  home,
  signed,
  cap,
}: ClaimRace & { seed: number; home: string; signed: string; cap: number }): Promise<void> {
  const instants = fc.sample(fc.integer({ min: 80, max: 480 }), { seed, numRuns: kills });
  let left = processes;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const child = spawn(process.execPath, [...SHORT_LIVED, CHILD, home, PAYER, signed, String(cap)]);
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const instantMs = instants.pop();
      const kill = instantMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), instantMs);
      await ended;
      clearTimeout(kill);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
