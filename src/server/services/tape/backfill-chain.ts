import { z } from 'zod';
import type { ChainTrades } from '#ports/chain-trades';
import type { Tape } from '#ports/tape';
import { mergeSpans, missingSpans } from './time-spans.js';
import { markWhole } from './whole-spans.js';

export interface ChainBackfillDeps {
  readonly tape: Pick<Tape, 'addFills' | 'progressOf' | 'saveProgress'>;
  readonly chain: ChainTrades;
}

/** How far a backfill from the chain is; reported after every step. */
export interface ChainBackfillState {
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly blocksDone: number;
  readonly blocksAll: number;
  readonly fills: number;
  readonly skipped: number;
}

/** Blocks of one segment: a quarter of an hour on Polygon. */
const BLOCKS_PER_STEP = 500;
const JOB = 'chain';
const HeldSchema = z.object({ held: z.array(z.object({ from: z.number(), to: z.number() })) });

/**
 * Brings the trades of `fromS` to `toS` from the logs of the exchange contracts into the tape,
 * oldest first, and skips blocks that earlier runs brought. The blocks that are in are kept in the
 * tape after every step. Rejects with an OutsideError.
 */
export async function backfillChain(
  { tape, chain }: ChainBackfillDeps,
  { fromS, toS }: { readonly fromS: number; readonly toS: number },
  progress?: (state: ChainBackfillState) => void,
  signal?: AbortSignal,
): Promise<ChainBackfillState & { readonly complete: boolean }> {
  const latest = await chain.latestBlock();
  const [fromBlock, toBlock] = [await chain.firstBlockFrom(fromS), Math.min(latest, await chain.firstBlockFrom(toS))];
  let held = HeldSchema.safeParse(await tape.progressOf(JOB)).data?.held ?? [];
  const missing = missingSpans({ from: fromBlock, to: toBlock }, held).toReversed();
  const blocksAll = missing.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  let state: ChainBackfillState = { fromBlock, toBlock, blocksDone: 0, blocksAll, fills: 0, skipped: 0 };
  for (const span of missing) {
    for (let from = span.from; from <= span.to && !signal?.aborted; from += BLOCKS_PER_STEP) {
      const to = Math.min(span.to, from + BLOCKS_PER_STEP - 1);
      const { fills, skipped } = await chain.fetchFills(from, to);
      if (fills.length > 0) await tape.addFills(`${JOB}-${from}-${to}`, fills);
      held = [...mergeSpans([...held, { from, to }])];
      await tape.saveProgress(JOB, { held });
      state = {
        ...state,
        blocksDone: state.blocksDone + to - from + 1,
        fills: state.fills + fills.length,
        skipped: state.skipped + skipped,
      };
      progress?.(state);
    }
  }
  const complete = state.blocksDone === blocksAll;
  if (complete) await markWhole(tape, { from: fromS, to: toS });
  return { ...state, complete };
}
