/**
 * Imports one of two CSV files in the place of the other, again and again, and prints "done
 * <number>" each time. Runs until it is killed. Arguments: folder of the tape, number of the file
 * to begin with, and the four files.
 */
import { writeSync } from 'node:fs';
import { openTape } from '#adapters/tape/tape';
import { AS_OF_S } from './tape-checks.js';

const [dir = '', first = '0', ...files] = process.argv.slice(2);
const tape = await openTape({ dir, threads: 1 });
writeSync(1, 'ready\n');
for (let n = Number(first); ; n++) {
  const [fills, markets] = [files[(n % 2) * 2]!, files[(n % 2) * 2 + 1]!];
  await tape.importCsv({ fills, markets, nowS: AS_OF_S, replace: n % 2 === 0 ? 'b.csv' : 'a.csv' });
  writeSync(1, `done ${n % 2}\n`);
}
