import { attributionTable, columnOf } from '../support/attribution-table.js';
import { profiling } from '../support/profiled.js';
import { costOf } from '../support/rounds.js';

/**
 * Returns a table of what the CPU of a call is spent in, by a profile of so many calls. Its rows
 * add up to the total.
 */
export async function profileCalls(calls: number, pay: () => Promise<void>): Promise<string> {
  const session = profiling();
  await session.profile();
  const { cpuMicros } = await costOf(pay);
  return attributionTable(['a paid call'], [columnOf(await session.profiled(), cpuMicros / calls, calls)]);
}
