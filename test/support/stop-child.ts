/**
 * A process that stops on a signal as the service does, and whose stop does what its argument says.
 */

import { standardOutput } from '#adapters/process/log-destination';
import { createLogger } from '#server/log';
import { stopOnSignal } from '#server/stop-on-signal';

const STOPS: Readonly<Record<string, () => Promise<void>>> = {
  ends: async () => undefined,
  fails: async () => {
    throw new Error('the disk is full');
  },
  hangs: () => new Promise(() => undefined),
  blocks: async () => {
    for (;;);
  },
};

const [how = '', msMax = '', linesToLog = '0'] = process.argv.slice(2);
const log = createLogger('info', standardOutput());
stopOnSignal(log, STOPS[how]!, Number(msMax));
for (let n = 0; n < Number(linesToLog); n++) log.info({ n, text: 'x'.repeat(1_000) }, 'line');
process.send?.('ready');
setInterval(() => undefined, 1_000);
