import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openLmdbStore } from '#adapters/lmdb/money/store';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { fillSoundStore } from '#test/server/services/integrity/sound-store';
import { playOn } from '#test/support/played-on';
import { BIT_FLIPS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const CHILD = fileURLToPath(import.meta.resolve('#test/server/adapters/lmdb/support/flips-child'));
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** How many flips ended in each way. `ended`: LMDB ended the process that followed a broken page. */
type Outcomes = Record<'refused' | 'reported' | 'same' | 'missed' | 'ended', number>;

async function outcomesOf(path: string): Promise<Outcomes> {
  const outcomes: Outcomes = { refused: 0, reported: 0, same: 0, missed: 0, ended: 0 };
  const argsFrom = (first: number) => [path, String(SEED), String(first), String(BIT_FLIPS)];
  for (const { outcome } of await playOn(CHILD, BIT_FLIPS, argsFrom)) {
    outcomes[outcome === 'begun' ? 'ended' : (outcome as keyof Outcomes)]++;
  }
  return outcomes;
}

describe('a single bit of a store that changes', function () {
  this.timeout(PROCESS_TEST_MS);

  it(`is found by a check, or changes nothing that the store holds (seed ${SEED})`, async () => {
    const fixture = await makeLmdbFixture();
    const store = openLmdbStore({ path: fixture.path });
    await fillSoundStore(store);
    await store.close();
    const outcomes = await outcomesOf(fixture.path);
    console.log(`      ${JSON.stringify(outcomes)}`);
    expect(outcomes.missed).to.equal(0);
    expect(outcomes.reported).to.be.above(0);
    await fixture.remove();
  });
});
