/**
 * Imports a history in small pieces and prints "begun" when it does. It is killed meanwhile.
 * Arguments: folder of the tape, the order as JSON.
 */
import { writeSync } from 'node:fs';
import { openTape } from '#adapters/tape/tape';

const [dir = '', order = '{}'] = process.argv.slice(2);
const tape = await openTape({ dir, threads: 1 });
writeSync(1, 'begun\n');
await tape.importHistory(JSON.parse(order));
writeSync(1, 'done\n');
await tape.close();
