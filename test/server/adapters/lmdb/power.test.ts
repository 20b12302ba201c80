import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Played, playOn } from '#test/support/played-on';
import { POWER_CUTS } from '#test/support/size';
import { skipLoudly } from '#test/support/skipped';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { IMAGE_KINDS } from './support/power/images.js';
import { canTrace, type Disk, type PowerFault, type Recording, record } from './support/power/workload.js';

const CHILD = fileURLToPath(new URL('./support/power/images-child.js', import.meta.url));
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const KINDS = Object.keys(IMAGE_KINDS);

interface Outcome extends Played {
  readonly kind: string;
}

/** `sound`, `lost`, `faulty` or `unopenable` for each image. */
async function outcomesOf(recording: Recording, cuts: number): Promise<readonly Outcome[]> {
  const args = [JSON.stringify(recording), String(SEED), String(cuts)];
  const played = await playOn(CHILD, cuts * KINDS.length, (first) => [...args, String(first)]);
  return played.map((one, n) => ({ ...one, kind: KINDS[n % KINDS.length]! }));
}

const worst = (outcomes: readonly Outcome[]) => outcomes.filter(({ outcome }) => outcome !== 'sound');

describe('a power cut', function () {
  this.timeout(20 * PROCESS_TEST_MS);
  const { cuts, rounds, meetsEveryFault } = POWER_CUTS;

  before(function () {
    if (!canTrace()) skipLoudly(this, 'writes are recorded by strace, which is not there: install it');
  });

  const outcomesWith = async (fault: PowerFault, cutsPlayed: number, disk?: Disk) =>
    outcomesOf(await record(rounds, fault, disk), cutsPlayed);

  const disks = [
    ['', 'sound'],
    // Its writes wait for a flush that does not come.
    ...(meetsEveryFault ? ([[' of a disk that has no room for some', 'full']] as const) : []),
  ] as const;
  for (const [what, disk] of disks) {
    it(`loses nothing that was answered, whatever it had carried out${what} (seed ${SEED})`, async () => {
      const outcomes = await outcomesWith('none', cuts, disk);
      for (const kind of KINDS) {
        const of = outcomes.filter((one) => one.kind === kind);
        const pending = of.map(({ detail }) => Number(detail)).filter((count) => count > 0).length;
        console.log(`      | ${kind} | ${of.length} | ${pending} | ${worst(of).length} |`);
      }
      expect(worst(outcomes)).to.deep.equal([]);
    });
  }

  const faults = [
    ['answers before the commit', 'sound'],
    ['sends before the intent', 'sound'],
    ...(meetsEveryFault ? ([['answers before the flush', 'full']] as const) : []),
  ] as const;
  for (const [fault, disk] of faults) {
    it(`would lose something of a service that ${fault}`, async () => {
      const outcomes = worst(await outcomesWith(fault, Math.max(cuts / 4, 12), disk));
      console.log(`      ${outcomes.length} images, first: ${outcomes[0]?.outcome} ${outcomes[0]?.detail}`);
      expect(outcomes.map(({ outcome }) => outcome)).to.include('lost');
      if (fault === 'sends before the intent') {
        expect(outcomes.every(({ detail }) => detail.startsWith('sent'))).to.equal(true);
      }
    });
  }
});
