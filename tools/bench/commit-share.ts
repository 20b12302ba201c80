import { join } from 'node:path';
import { rateOf } from './support/concurrency.js';
import { openRaw, SAME_ROWS } from './support/raw-rows.js';
import { show } from './support/report.js';
import { interleave, median, medianRatio } from './support/rounds.js';

const ROUNDS = 7;
const RUN_MS = 400;

/** Each resolves with the p50 of one round at one connection, in ms. */
export interface AtOneConnection {
  readonly verdict: () => Promise<number>;
  /** The same call as a free example: the same door, and nothing to debit. */
  readonly example: () => Promise<number>;
}

/**
 * Says how much of a verdict at one connection is its debit, by the same call without one, and what
 * a bare transaction of the same rows takes by itself until it is on the same disk. They take
 * turns.
 */
export async function commitShare(dataDir: string, { verdict, example }: AtOneConnection): Promise<string> {
  const raw = openRaw(join(dataDir, 'raw'));
  const commit = rateOf(SAME_ROWS, raw.operations[SAME_ROWS], 1, RUN_MS);
  const results = await interleave(
    'http, without a commit',
    [
      { name: 'verdict', run: verdict },
      { name: 'example', run: example },
      { name: 'commit', run: async () => (await commit.run()).p50Micros / 1e3 },
    ],
    ROUNDS,
  );
  await raw.close();
  const of = (name: string) => results.get(name)!;
  const percent = Math.round((1 - medianRatio(of('example'), of('verdict'), (ms) => ms)) * 100);
  return (
    `At 1 connection a verdict takes ${show(median(of('verdict')))} ms (p50), and the same call without a debit ` +
    `(\`sandbox=1\`) ${show(median(of('example')))} ms: ${percent} % of it is the commit and waking up for it. ` +
    `A transaction of the same rows by itself, one after the other, takes ${show(median(of('commit')))} ms.`
  );
}
