/**
 * Adds segment after segment of fills and compacts in between, and prints "ack <number>" for each
 * segment that is on the disk, and "compacted" after each compaction. Runs until it is killed.
 * Arguments: folder of the tape, number of the first segment.
 */
import { writeSync } from 'node:fs';
import { openTape } from '#adapters/tape/tape';
import { AS_OF_S } from './tape-checks.js';
import { killFills } from './tape-kill-fills.js';

const [dir = '', first = '0'] = process.argv.slice(2);
// Every other child puts beside the base what it adds, and the others merge most of it.
const tape = await openTape({ dir, threads: 1, recentPctMax: Number(first) % 2 === 0 ? 1_000_000 : 20 });
writeSync(1, 'ready\n');
for (let n = Number(first); ; n++) {
  await tape.addFills(`s${n}`, killFills(n));
  writeSync(1, `ack ${n}\n`);
  // As after a crash: a step that is repeated, with fills of which some may be sorted by now.
  if (n % 3 === 0 && n > 1) await tape.addFills(`s${n - 2}`, killFills(n - 2));
  if (n % 4 === 0) {
    await tape.compact(AS_OF_S);
    writeSync(1, 'compacted\n');
  }
}
