import { expect } from 'chai';
import { CODE_FOLDERS, readSources } from '#test/support/source-tree';
import { planOf } from './plan.js';
import { SHARD_COUNT, shardOf } from './shards.js';

const SHARDS = Array.from({ length: SHARD_COUNT }, (_, index) => index + 1);

describe('the shards of the slow tests', () => {
  it('have each file once, together', () => {
    const files = [...planOf(readSources(CODE_FOLDERS)).slow.keys()];
    const played = SHARDS.flatMap((shard) => shardOf(files, shard));
    expect(played).to.have.length(files.length);
    expect(played).to.have.members(files);
  });

  it('take about as long as each other, where the longest files come first', () => {
    expect(SHARDS.map((shard) => shardOf([9, 8, 7, 6, 5, 4, 3, 2, 1], shard))).to.deep.equal([
      [9],
      [8, 1],
      [7, 2],
      [6, 3],
      [5, 4],
    ]);
  });
});
