import fc from 'fast-check';
import { throwDice } from './killed-process.js';

/** Loaded first by `npm run prove`: the suites it names run at full size. */
process.env.PROVE = '1';

/**
 * All properties of a process begin with one seed, which is printed; with it in SEED they are
 * played again.
 */
const { seed } = throwDice();
fc.configureGlobal({ seed: seed | 0 });
console.log(`  SEED=${seed}`);

/**
 * Ends by way of `exit`, so that what was started ends too; a test that has more to do at an
 * interruption listens itself.
 */
process.on('SIGINT', () => {
  if (process.listenerCount('SIGINT') === 1) process.exit(130);
});
