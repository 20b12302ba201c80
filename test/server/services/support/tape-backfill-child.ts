import { openTapeModule, openTapeSources } from '#compose/tape';
import { backfillTrades } from '#services/tape/backfill';

/**
 * Backfills a tape from a venue and writes a line after every page. Killed and started again by its
 * test.
 */
const [url = '', dataDir = '', fromS, toS] = process.argv.slice(2);
const { tape, clock } = await openTapeModule(dataDir);
const venue = { gammaUrl: url, clobUrl: url, dataUrl: url, wsUrl: 'ws://127.0.0.1:1', rtdsUrl: 'ws://127.0.0.1:1' };
const { source } = openTapeSources(venue, clock);
const span = { fromS: Number(fromS), toS: Number(toS) };
const report = await backfillTrades({ tape, source, clock }, { kind: 'feed' }, span, {
  job: 'backfill',
  progress: ({ pages }) => process.stdout.write(`page ${pages}\n`),
});
await tape.close();
process.stdout.write(`${JSON.stringify(report)}\n`);
