import { z } from 'zod';
import { mergeSpans, type Span } from '#domain/time-spans';
import type { Tape } from '#ports/tape';
import { readCoverage } from './trade-coverage.js';

const JOB = 'whole';
/** The job under whose name an operator's backfill of the venue's feed keeps what it holds. */
export const BACKFILL_JOB = 'backfill';
/** Beyond, what was whole longest ago is forgotten: it is not claimed any more. */
const SPANS_MAX = 4_096;
const WholeSchema = z.object({ spans: z.array(z.object({ from: z.number(), to: z.number() })) });

/**
 * Returns the stretches of time of which something other than the recorder brought everybody's
 * trades: an import, the chain, a backfill of the feed. The trades of single wallets or markets are
 * none.
 */
export async function wholeSpans(
  tape: Pick<Tape, 'progressOf' | 'importedSpans'>,
  nowS: number,
): Promise<readonly Span[]> {
  const imported = await tape.importedSpans();
  const { held } = readCoverage(await tape.progressOf(BACKFILL_JOB), nowS);
  return [...(await markedSpans(tape)), ...imported.map(({ fromS: from, toS: to }) => ({ from, to })), ...held];
}

async function markedSpans(tape: Pick<Tape, 'progressOf'>): Promise<readonly Span[]> {
  return WholeSchema.safeParse(await tape.progressOf(JOB)).data?.spans ?? [];
}

/**
 * Keeps in the tape that everybody's trades of these seconds, both inclusive, are in it. A CSV
 * import says so itself.
 */
export async function markWhole(tape: Pick<Tape, 'progressOf' | 'saveProgress'>, ...whole: Span[]): Promise<void> {
  const spans = mergeSpans([...(await markedSpans(tape)), ...whole]).slice(0, SPANS_MAX);
  await tape.saveProgress(JOB, { spans });
}
