import { LONG_FILES } from './long-files.js';
import type { Plan } from './plan.js';
import { SHARD_COUNT, shardOf } from './shards.js';

/** What a run is asked for; without anything it is for one shard, which is drawn. */
export interface Wanted {
  /** Nothing that takes long. */
  readonly fast?: boolean;
  /** All shards. */
  readonly all?: boolean;
  /** This one, from 1. */
  readonly shard?: number;
}

/** The test files to run, the longest first, with words for the slow ones among them. */
export interface Choice {
  readonly files: readonly string[];
  readonly which: string;
}

/** Returns which test files a run takes. */
export function chooseFiles({ fast, slow }: Plan, wanted: Wanted, draw: () => number): Choice {
  if (wanted.fast) {
    const files = fast.filter((file) => !LONG_FILES.includes(file));
    return { files, which: 'nothing that starts a process or takes long' };
  }
  const slowFiles = longFirst([...slow.keys()]);
  if (wanted.all) return { files: longFirst([...slowFiles, ...fast]), which: `all ${slowFiles.length} slow files` };
  const shard = wanted.shard ?? draw();
  const shardFiles = shardOf(slowFiles, shard);
  const again = `--shard ${shard} runs them again, --all runs all ${slowFiles.length}`;
  return {
    files: longFirst([...shardFiles, ...fast]),
    which: `${shardFiles.length} slow files, shard ${shard} of ${SHARD_COUNT} (${again})`,
  };
}

/** What begins last must not be what ends last. */
function longFirst(files: readonly string[]): readonly string[] {
  return [...LONG_FILES.filter((file) => files.includes(file)), ...files.filter((file) => !LONG_FILES.includes(file))];
}
