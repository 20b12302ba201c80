import { expect } from 'chai';
import { CODE_FOLDERS, readSources } from '#test/support/source-tree';
import { chooseFiles } from './choice.js';
import { LONG_FILES } from './long-files.js';
import { planOf } from './plan.js';
import { SHARD_COUNT, shardOf } from './shards.js';

const plan = planOf(readSources(CODE_FOLDERS));
const SLOW = [...plan.slow.keys()];
const SHARDS = Array.from({ length: SHARD_COUNT }, (_, index) => index + 1);

describe('what a test run takes', () => {
  const choose = (wanted: Parameters<typeof chooseFiles>[1]) => chooseFiles(plan, wanted, () => 2);
  const slowOf = (files: readonly string[]) => files.filter((file) => plan.slow.has(file));

  it('is all that is fast with one shard of what is slow, which it names with how to run it again', () => {
    const { files, which } = choose({});
    expect(files).to.include.members([...plan.fast]);
    expect(files).to.have.length(plan.fast.length + slowOf(files).length);
    expect(choose({ shard: 2 }).files).to.deep.equal(files);
    expect(which).to.match(/^\d+ slow files, shard 2 of \d+ \(--shard 2 runs them again, --all runs all \d+\)$/);
  });

  it('is each slow file in one of the shards', () => {
    const played = SHARDS.flatMap((shard) => slowOf(choose({ shard }).files));
    expect(played.toSorted()).to.deep.equal(SLOW.toSorted());
  });

  it('is everything where all is asked for, beginning with what takes longest', () => {
    const { files } = choose({ all: true });
    expect(files.toSorted()).to.deep.equal([...plan.fast, ...SLOW].toSorted());
    expect(files.slice(0, LONG_FILES.length)).to.deep.equal(LONG_FILES);
  });

  it('is nothing that is slow or takes long in a fast run', () => {
    const { files } = choose({ fast: true });
    expect(files.filter((file) => plan.slow.has(file) || LONG_FILES.includes(file))).to.deep.equal([]);
    expect(files.length).to.be.above(plan.fast.length / 2);
  });
});

describe('the shards of the slow tests', () => {
  it('take about as long as each other, where the longest files come first', () => {
    const byTime = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    expect(SHARDS.map((shard) => shardOf(byTime, shard))).to.deep.equal([
      [12],
      [11],
      [10],
      [9],
      [8, 1],
      [7, 2],
      [6, 3],
      [5, 4],
    ]);
  });
});
